// What the audit log can be searched for.
import { AUDITED_OPERATIONS, operationInWords } from '../../audit/operations.ts'
import { OperationList } from './audit-schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'GET', path: '/data/audit/operations', answer: OperationList },
  () => async () => ({
    items: AUDITED_OPERATIONS.map((operation) => ({ operation, words: operationInWords(operation) })),
  }),
)
