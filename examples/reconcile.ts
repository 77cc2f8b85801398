// Brings the store up to the feed's end, and ends. Run it from cron, beside the webhook receiver or in its place:
// what webhooks have not brought yet it stores, what they have brought already it passes over. Killed at any moment it
// loses nothing and doubles nothing, because a page's events, their effects and the cursor behind them are one commit.
//
//   BASE=http://127.0.0.1:8080 KEY=mdk_test_… node examples/reconcile.ts [events.db]
//
// The key needs the scope messages:read. Node 24. In a project of your own, import from '@mail-developer-api/client'.
import { MailDeveloperApi } from '../sdk/src/index.ts'
import { CURSOR, openEventStore } from './event-store.ts'

const { BASE: baseUrl = '', KEY: apiKey = '' } = process.env
const api = new MailDeveloperApi({ baseUrl, apiKey })
const store = openEventStore(process.argv[2] ?? 'events.db')

const cursor = store.read(CURSOR)
for await (const page of api.listEvents({ limit: 100, ...(cursor && { cursor }) }).pages()) {
  const fresh = store.accept(page.items, page.resumeCursor)
  console.log(`${page.items.length} events, ${fresh} of them new`)
}
store.close()
