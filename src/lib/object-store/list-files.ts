// Lists what a store of local files holds, a page at a time, folder by folder.
import { opendir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { asObjectKey, type ObjectKey } from '../object-store.ts'

/** What is still being written (`incoming`), and what is no object of ours, is passed over. */
export async function* listFiles(folder: string, pageSize: number): AsyncGenerator<ObjectKey[]> {
  let page: ObjectKey[] = []
  for (const kind of await foldersIn(folder)) {
    for (const part of await foldersIn(join(folder, kind))) {
      for await (const { name } of await opendir(join(folder, kind, part))) {
        const key = keyOf(kind, part, name)
        if (!key) continue
        page.push(key)
        if (page.length < pageSize) continue
        yield page
        page = []
      }
    }
  }
  if (page.length > 0) yield page
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && entry.name !== 'incoming').map(({ name }) => name)
}

/** `<tenant>.<id>` in the folder of two digits of the id. */
function keyOf(kind: string, part: string, name: string): ObjectKey | undefined {
  const [owner, id = ''] = name.split('.')
  return id.slice(6, 8) === part ? asObjectKey(`${kind}/${owner}/${id}`) : undefined
}
