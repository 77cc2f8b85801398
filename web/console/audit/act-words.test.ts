import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShownAct } from '../../../src/servers/console/audit-schemas.ts'
import { actorOf, detailsInWords, kindOf, pageOf } from './act-words.ts'

const ID = '01a1fc13-1c8d-765b-adca-961947868a21'
const ACT: ShownAct = {
  ...{ id: ID, at: '2026-01-01T00:00:00.000000Z', by: 'person', actorName: null, personId: null, mailboxUserId: null },
  ...{ account: null, appId: null, appName: null, keyId: null, keyName: null, keyStart: null },
  ...{ operation: 'key.revoke', words: 'revoked a key', resourceType: 'key', resourceId: ID, resourceName: null },
  ...{
    resourceAppId: null,
    resourceEnvironment: null,
    details: null,
    clientAddress: null,
    userAgent: null,
    requestId: null,
  },
}

test('whoever did it goes by the name they had, or else by their id', () => {
  for (const [act, who, by] of [
    [{ actorName: 'ada@example.com', personId: ID }, 'ada@example.com', 'Person'],
    [{ personId: ID }, `Person ${ID}`, 'Person'],
    [{ by: 'mailbox_user', actorName: 'grace@example.com' }, 'grace@example.com', 'Mailbox user'],
    [{ by: 'operator', account: 'root' }, 'root', 'Operator of the service'],
    [{ by: 'application', appName: 'Shop', keyName: 'Live' }, 'Shop', 'Key Live'],
    [{ by: 'application', appName: 'Shop', keyStart: 'mdk_live_abc' }, 'Shop', 'Key mdk_live_abc…'],
  ] as const) {
    assert.deepEqual(actorOf({ ...ACT, ...act }), { who, by })
  }
})

test('each thing leads to its page, where it has one', () => {
  for (const [act, page] of [
    [{ resourceType: 'message', resourceEnvironment: 'production' }, `/messages/${ID}`],
    [{ resourceType: 'message', resourceEnvironment: 'sandbox:x' }, `/messages/${ID}?environment=sandbox%3Ax`],
    [{ resourceType: 'message' }, undefined],
    [{ resourceType: 'webhook_endpoint', resourceEnvironment: 'production' }, `/webhooks/${ID}`],
    [{ resourceType: 'webhook_delivery', resourceEnvironment: 'production' }, `/deliveries/${ID}`],
    [{ resourceType: 'app', resourceName: 'Shop' }, `here:/apps/${ID}`],
    [{ resourceType: 'key', resourceName: 'Live', resourceAppId: 'of-app' }, 'here:/apps/of-app'],
    [{ resourceType: 'domain' }, undefined],
    [{ resourceType: 'key' }, undefined],
    [{ resourceType: 'message', resourceId: null }, undefined],
    [{ resourceType: 'plan:free' }, undefined],
  ] as const) {
    assert.equal(
      pageOf({ ...ACT, ...act }, (path) => `here:${path}`),
      page,
    )
  }
  assert.deepEqual(['key', 'webhook_endpoint', 'tenant', 'plan:free'].map(kindOf), [
    'Key',
    'Endpoint',
    'Organization',
    'Plan:free',
  ])
})

test('what an export was narrowed by is said as it was asked', () => {
  assert.equal(detailsInWords(null), '')
  assert.equal(detailsInWords({ status: 'failed', sends: true }), 'status failed, sends true')
})
