// The decoys of the local Bird, where `up` lets them stand.

/** Logical ports: FTP, SSH, HTTP, Redis. */
export const DECOY_PORTS = [21, 22, 80, 6379] as const
