// The text of the message that the benches send.
export const SEND_TEXT = 'Thank you for your order. It is on its way. '.repeat(20)
