// What stands around every page: the product's name, where one can go, and who is signed in. On a phone it is behind a button.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'
import { path } from './router.ts'
import { StepUpDialog } from './step-up-dialog.tsx'
import { Toasts } from './toast.tsx'

export interface Destination {
  path: string
  /** Where it leads, when that is more than its path. */
  href?: string
  /** What pages begin with that belong to it, though not by their own path. */
  also?: string | undefined
  /** What the page belongs to, where no path says it. */
  isHere?: boolean
  label: string
  icon: IconName
  /** What waits there, in few characters. */
  count?: string | undefined
}

interface FrameProps {
  product: string
  destinations: readonly Destination[]
  user: { login: string; name: string | null }
  /** It has a page of settings of the user's. */
  hasSettings?: boolean
  /** Between the product's name and the destinations. */
  above?: ComponentChildren
  /** A button that leads anywhere; on a phone beside that of the navigation. */
  find?: ComponentChildren
  /** Over the whole page: the mode it is in. */
  banner?: ComponentChildren
  /** What has the focus when one has gone elsewhere, when that is not the page as a whole. */
  landing?: () => HTMLElement | null | undefined
  children: ComponentChildren
}

export function Frame({
  product,
  destinations,
  user,
  hasSettings = false,
  above,
  find,
  banner,
  landing,
  children,
}: FrameProps) {
  const side = useRef<HTMLDivElement>(null)
  const here = path()
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    side.current?.hidePopover()
    // As a page that was loaded would have it.
    const page = landing?.() ?? document.getElementById('main')
    page?.focus({ preventScroll: true })
  }, [here])
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="frame">
        <header>
          <div class="bar">
            <button type="button" class="quiet icon-only" aria-label="Menu" popoverTarget="side">
              <Icon name="menu" />
            </button>
            <Brand product={product} />
            {find}
          </div>
          <div class="side" id="side" popover="auto" ref={side}>
            <Brand product={product} />
            {above}
            {find}
            <nav aria-label={product}>
              <ul class="plain">
                {destinations.map((to) => (
                  <li key={to.path}>
                    <NavigationLink
                      {...to}
                      isHere={to.isHere ?? (isWithin(here, to.path) || isWithin(here, to.also))}
                    />
                  </li>
                ))}
              </ul>
            </nav>
            <AccountLinks user={user} hasSettings={hasSettings} here={here} />
          </div>
        </header>
        <div class="content">
          {banner}
          {children}
        </div>
      </div>
      <Toasts />
      <StepUpDialog />
    </>
  )
}

/** A page is within another when its path goes on from it; everything goes on from `/`. */
function isWithin(here: string, destination: string | undefined): boolean {
  if (destination === undefined) return false
  return here === destination || (destination !== '/' && here.startsWith(`${destination}/`))
}

function NavigationLink({ path: to, href = to, label, icon, count, isHere }: Destination & { isHere: boolean }) {
  return (
    <a href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
      {count && <span class="count">{count}</span>}
    </a>
  )
}

function AccountLinks({
  user,
  hasSettings,
  here,
}: Required<Pick<FrameProps, 'user' | 'hasSettings'>> & { here: string }) {
  return (
    <nav class="account" aria-label="Account">
      <p class="who" title={user.login}>
        {user.name ?? user.login}
      </p>
      <ul class="plain">
        {hasSettings && (
          <li>
            <NavigationLink path="/settings" label="Settings" icon="settings" isHere={here === '/settings'} />
          </li>
        )}
        <li>
          <NavigationLink path="/account" label="Account" icon="person" isHere={here === '/account'} />
        </li>
        <li>
          <form method="post" action="/sign-out">
            <button type="submit" class="quiet">
              <Icon name="leave" />
              Sign out
            </button>
          </form>
        </li>
      </ul>
    </nav>
  )
}

function Brand({ product }: { product: string }) {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#2450c8" />
        <path d="M7 10.5h18v11H7zm0 .5 9 7 9-7" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round" />
      </svg>
      {product}
    </a>
  )
}
