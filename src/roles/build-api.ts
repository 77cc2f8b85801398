// The server of the API with everything that it answers. Nothing listens yet.
import { type ApiDeps, apiRoutes } from '../servers/api/api.ts'
import { describeOperations } from '../servers/api/describe-api.ts'
import { docsRoutes } from '../servers/docs/routes.ts'
import { buildServer, type Server, type ServerDeps } from '../servers/http/server.ts'

export function buildApi(deps: ServerDeps & ApiDeps): Server {
  const app = buildServer(deps)
  apiRoutes(app, deps)
  docsRoutes(app, describeOperations(app.operations))
  return app
}
