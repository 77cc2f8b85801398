// Where a request comes from, as the audit log keeps it beside who sent it.

export interface RequestOrigin {
  requestId: string
  clientAddress: string
  userAgent: string | null
}
