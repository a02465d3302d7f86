// Codes of IOCTL ([MS-SMB2] 2.2.31, [MS-FSCC] 2.3).

export const FSCTL = {
  dfsGetReferrals: 0x00060194,
  dfsGetReferralsEx: 0x000601b0,
  getCompression: 0x0009003c,
  setReparsePoint: 0x000900a4,
  setSparse: 0x000900c4,
  getReparsePoint: 0x000900a8,
  createOrGetObjectId: 0x000900c0,
  queryAllocatedRanges: 0x000940cf,
  setZeroData: 0x000980c8,
  setCompression: 0x0009c040,
  pipeWait: 0x00110018,
  pipePeek: 0x0011400c,
  pipeTransceive: 0x0011c017,
  requestResumeKey: 0x00140078,
  queryNetworkInterfaces: 0x001401fc,
  validateNegotiateInfo: 0x00140204,
  enumerateSnapshots: 0x00144064,
  copyChunk: 0x001440f2,
  copyChunkWrite: 0x001480f2,
} as const

/** Codes that are about none. */
export const WITHOUT_FILE: ReadonlySet<number> = new Set([
  FSCTL.dfsGetReferrals,
  FSCTL.dfsGetReferralsEx,
  FSCTL.queryNetworkInterfaces,
  FSCTL.validateNegotiateInfo,
  FSCTL.pipeWait,
])
