// What a Bird says of itself that nobody has commissioned.
export const clocks = () => ({ wallMs: Date.now(), monotonicMs: 60_000, bootId: '0'.repeat(31) + '3' })

export const spool = { spoolId: '0'.repeat(31) + '4', first: 1, next: 1 }

export const state = {
  uptimeS: 60,
  settings: { tag: '', seq: 0 },
  wasRollback: false,
  serviceCount: 0,
  notStanding: [],
}
