// The server of the API with everything that it answers. Nothing listens yet.
import { describeOperations } from '../servers/api/contract/describe-api.ts'
import { OPERATIONS } from '../servers/api/operations.ts'
import { type DepsOf, serveOperations } from '../servers/api/serve-operations.ts'
import { docsRoutes } from '../servers/docs/routes.ts'
import { buildServer, type Server, type ServerDeps } from '../servers/http/server.ts'

export function buildApi(deps: ServerDeps & DepsOf<(typeof OPERATIONS)[number]>): Server {
  const app = buildServer(deps)
  serveOperations(app, OPERATIONS, deps)
  docsRoutes(app, describeOperations())
  return app
}
