// The server of the API with everything that it answers. Nothing listens yet.
import { describeApi } from '../servers/api/contract/describe-api.ts'
import { OPERATIONS } from '../servers/api/operations.ts'
import { type DepsOf, serveOperations } from '../servers/api/serve-operations.ts'
import type { ApiDocument } from '../servers/docs/api-document.ts'
import { type DocsDeps, docsRoutes } from '../servers/docs/routes.ts'
import { createKeyDoor, type KeyDoorDeps } from '../servers/http/key-door.ts'
import { buildServer, type Server, type ServerDeps } from '../servers/http/server.ts'

type ApiDeps = Omit<ServerDeps, 'doors' | 'guard'> &
  KeyDoorDeps &
  DepsOf<(typeof OPERATIONS)[number]> &
  Pick<DocsDeps, 'keyFor'>

export function buildApi(deps: ApiDeps): Server {
  const app = buildServer({ ...deps, doors: { key: createKeyDoor(deps) }, guard: deps.gate?.admitAddress })
  serveOperations(app, OPERATIONS, deps)
  docsRoutes(app, { describe: () => describeApi() as unknown as ApiDocument, keyFor: deps.keyFor })
  return app
}
