// Writes openapi.yaml anew: `npm run openapi`.
import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { describeApi } from '../src/servers/api/contract/describe-api.ts'

await writeFile(
  new URL('../openapi.yaml', import.meta.url),
  stringify(describeApi(), { lineWidth: 120, aliasDuplicateObjects: false }),
)
