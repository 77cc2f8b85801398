// The message that the benches send.
export const SEND_TEXT = 'Thank you for your order. It is on its way. '.repeat(20)
export const SEND_SUBJECT = 'Your receipt'
export const SEND_RECIPIENT = 'someone@example.test'
