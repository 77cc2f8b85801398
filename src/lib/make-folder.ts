// Makes folders. Node's own recursive mkdir tries for ever where the file system says that a folder to be made is not
// there, as Linux does below /proc.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder and those above it; one that is there already stays as it is. @throws Error naming the folder */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await make(folder, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(`the folder ${folder} cannot be made (${code})`, { cause: error }), { code })
  }
}

async function make(folder: string, mode: number): Promise<void> {
  try {
    await makeOne(folder, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    await make(dirname(folder), mode)
    await makeOne(folder, mode)
  }
}

async function makeOne(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    // A read-only file system may say so before it says that the folder is there.
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isThere) throw error
  })
}
