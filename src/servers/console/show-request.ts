// One refused request, and what its code means.
import { explain, inPlainText, pageOfProblem } from '../../access/explain-problem.ts'
import { isProblemCode } from '../../access/problem.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { readRefusedRequest } from '../../requests/list-refused-requests.ts'
import { consoleData } from './console-data.ts'
import { RefusedRequestView } from './request-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/requests/:requestId', params: IdParams('requestId'), answer: RefusedRequestView },
  ({ database, apiUrl }: { database: Database; apiUrl: string }) =>
    async ({ actor, params: { requestId } }) => {
      const request = await readRefusedRequest(database, actor, requestId)
      return { request, explanation: explanationOf(request.code, apiUrl) }
    },
)

function explanationOf(code: string | null, apiUrl: string) {
  if (code === null || !isProblemCode(code)) return null
  const { means, toDo } = explain(code)
  return { means: inPlainText(means), toDo: inPlainText(toDo), page: `${apiUrl}${pageOfProblem(code)}` }
}
