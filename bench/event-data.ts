// What the events of the webhook benches say beside their object's type and id: about as much as a message's do.
export const EVENT_DATA = {
  mailboxId: '01900000-0000-7000-8000-000000000000',
  direction: 'outbound',
  messageId: '<01900000-0000-7000-8000-000000000001@example.test>',
  subject: 'Your receipt',
  from: { address: 'shop@example.test', name: 'The shop' },
  to: [{ address: 'someone@example.test', name: null }],
  status: 'sent',
  relayResponse: '250 2.0.0 Ok: queued as 4ZkP1x2Yz3',
}
