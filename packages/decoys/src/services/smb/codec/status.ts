// NTSTATUS values ([MS-ERREF] 2.3.1) that the server gives.

export const STATUS = {
  success: 0x00000000,
  pending: 0x00000103,
  moreEntries: 0x00000105,
  someNotMapped: 0x00000107,
  notifyCleanup: 0x0000010b,
  bufferOverflow: 0x80000005,
  noMoreFiles: 0x80000006,
  noMoreEntries: 0x8000001a,
  notImplemented: 0xc0000002,
  invalidInfoClass: 0xc0000003,
  infoLengthMismatch: 0xc0000004,
  invalidHandle: 0xc0000008,
  invalidParameter: 0xc000000d,
  noSuchFile: 0xc000000f,
  invalidDeviceRequest: 0xc0000010,
  endOfFile: 0xc0000011,
  moreProcessingRequired: 0xc0000016,
  noMemory: 0xc0000017,
  accessDenied: 0xc0000022,
  bufferTooSmall: 0xc0000023,
  objectNameInvalid: 0xc0000033,
  objectNameNotFound: 0xc0000034,
  objectNameCollision: 0xc0000035,
  objectPathNotFound: 0xc000003a,
  objectPathSyntaxBad: 0xc000003b,
  sharingViolation: 0xc0000043,
  noEasOnFile: 0xc0000052,
  fileLockConflict: 0xc0000054,
  lockNotGranted: 0xc0000055,
  noSuchPrivilege: 0xc0000060,
  privilegeNotHeld: 0xc0000061,
  noSuchUser: 0xc0000064,
  noSuchGroup: 0xc0000066,
  logonFailure: 0xc000006d,
  accountDisabled: 0xc0000072,
  noneMapped: 0xc0000073,
  invalidSid: 0xc0000078,
  rangeNotLocked: 0xc000007e,
  insufficientResources: 0xc000009a,
  badImpersonationLevel: 0xc00000a5,
  pipeNotAvailable: 0xc00000ac,
  pipeDisconnected: 0xc00000b0,
  fileIsADirectory: 0xc00000ba,
  notSupported: 0xc00000bb,
  networkNameDeleted: 0xc00000c9,
  badNetworkName: 0xc00000cc,
  requestNotAccepted: 0xc00000d0,
  noSuchDomain: 0xc00000df,
  invalidOplockProtocol: 0xc00000e3,
  invalidUserBuffer: 0xc00000e8,
  notADirectory: 0xc0000103,
  tooManyOpenedFiles: 0xc000011f,
  cancelled: 0xc0000120,
  fileClosed: 0xc0000128,
  noSuchAlias: 0xc0000151,
  illegalCharacter: 0xc0000161,
  invalidDeviceState: 0xc0000184,
  fsDriverRequired: 0xc000019c,
  invalidLockRange: 0xc00001a1,
  userSessionDeleted: 0xc0000203,
  connectionDisconnected: 0xc000020c,
  notFound: 0xc0000225,
  connectionRefused: 0xc0000236,
  notAReparsePoint: 0xc0000275,
  preauthHashOverlap: 0xc05d0000,
} as const

export type Status = (typeof STATUS)[keyof typeof STATUS]

const NAMES = new Map<number, string>(
  Object.entries(STATUS).map(([name, status]) => [
    status,
    `STATUS_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  ]),
)

/** As it stands in [MS-ERREF]: `STATUS_LOGON_FAILURE`. */
export const statusName = (status: number): string => NAMES.get(status) ?? `0x${status.toString(16)}`

/** Severity "error" ([MS-ERREF] 2.3). */
export const isError = (status: Status): boolean => status >= 0xc0000000
