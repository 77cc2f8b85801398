// Which passwords are good enough (NIST SP 800-63B-4, section 3.1.1): long, and none that everybody tries; no rules of
// composition. Pure.
import { createRequire } from 'node:module'
import { invalidField } from '../access/problem.ts'

/** Characters, as code points, of one that is the only factor, and of one beside a second. */
const LEAST_ALONE = 15
const LEAST_BESIDE_ANOTHER = 8
const MOST = 256
/** A password that repeats as few characters as these again and again is as good as they are. */
const LONGEST_REPEATED = 4

const REPEATED = new RegExp(`^(.{1,${LONGEST_REPEATED}}?)\\1+$`, 'su')

/** The form that is hashed, so that it does not matter how a keyboard composes its letters. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** Whether it is long enough to be the only factor. */
export function standsAlone(password: string): boolean {
  return [...password].length >= LEAST_ALONE
}

/**
 * `login` is the user's address, which a password must not contain, nor be contained in.
 * @throws Problem validation_error naming `password`
 */
export function checkPassword(
  password: string,
  { login, hasSecondFactor }: { login: string; hasSecondFactor: boolean },
): void {
  const least = hasSecondFactor ? LEAST_BESIDE_ANOTHER : LEAST_ALONE
  const { length } = [...password]
  if (length < least) throw invalidField('password', `must have at least ${least} characters`)
  if (length > MOST) throw invalidField('password', `must have at most ${MOST} characters`)
  const folded = password.toLowerCase()
  if (isCommon(folded) || REPEATED.test(folded)) {
    throw invalidField('password', 'is one that is tried first: choose another, such as four unrelated words')
  }
  const [name = ''] = login.split('@')
  if (folded.includes(login) || login.includes(folded) || (name.length >= LONGEST_REPEATED && folded.includes(name))) {
    throw invalidField('password', 'must not contain the address that you sign in with')
  }
}

let common: ReadonlySet<string> | undefined

/** Whether many have chosen it. The lists are large, and so are loaded when somebody first chooses a password. */
function isCommon(password: string): boolean {
  common ??= new Set(loadLists().dictionary['passwords-common'])
  return common.has(password)
}

const require = createRequire(import.meta.url)
const loadLists = () => require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
