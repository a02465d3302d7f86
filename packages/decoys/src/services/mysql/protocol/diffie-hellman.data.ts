// Primes and generators of Diffie-Hellman that database servers bring along, where OpenSSL would make one to fit the key.

export interface DiffieHellmanGroup {
  /** Hexadecimal; white space does not count. */
  readonly prime: string
  readonly generator: number
}

/** MariaDB's own. */
export const MARIADB_GROUP: DiffieHellmanGroup = {
  generator: 2,
  prime: `
  a1bb7c20c55bc07b218bd6a815fc3bbaab9fdf68c479780dc11264e415c966db
  f6cbb339025b7862fb09ae096bddd45d97bcdc7fe6d6f1cbf5ebdaa72e5a432b
  e940e285001cc00a9877a931de0b754d1e1f1683cadebd21fcc1823736330b66
  063cf3af21575780f6941ba9d4f68f18620ec422f95b62cc3f1995cf4b00a66c
  0baf9fd5fa3d6dda30830791ac15ff8f5954ea25bc4eeb6a54df7509720fef23
  70e0a804eaff9054cd8418c07591990fa1780c07b7c5de55067b95682c3339bc
  2cd06dddfadcb58f8239f86744f1d8f778119a779b5347d62b5d67b8b7bcc1d7
  796215c2c58397a7f8b49cf68f9ac7da1bbb8707a771adb28a50f82612b73e0b
`,
}

/** MySQL's own, up to 5.7. */
export const MYSQL_GROUP: DiffieHellmanGroup = {
  generator: 5,
  prime: `
  8a5dfac066764e61facac037575c6d3f830aa1f5f1e67f3cc6afda8b26e61a74
  5e64cbe208f109e3afbb54292d97f459e626831f55cd1b5755426ce7b7da6ed8
  6deeb14fa4d7f541e1b40be19816e2ed16cf187d3f25c38259bdf48f57ca3e19
  e4f544e0cc80b31091180d64590a43f7fcca01e81404f2cda92a3cf3a52a83d8
  669fc92cc94f44055e5e0047220ae6b087a5743be4a3fc2ddc49f2e1800d0671
  7a773aa966703bba8d2e605a39f72dd3f553476e57130187f9de4d2092bed71e
  e0200c60c8ca35587d3f59eefb677d647d8e776c61448a8c4df012d4a4ea1775
  66496ccf1428c69a3c71fdb83a6ce3a3a6065aa6f07a0015a55a6466000585b7
`,
}

/** ffdhe2048 of RFC 7919, A.1. */
export const FFDHE2048: DiffieHellmanGroup = {
  generator: 2,
  prime: `
  ffffffffffffffffadf85458a2bb4a9aafdc5620273d3cf1d8b9c583ce2d3695
  a9e13641146433fbcc939dce249b3ef97d2fe363630c75d8f681b202aec4617a
  d3df1ed5d5fd65612433f51f5f066ed0856365553ded1af3b557135e7f57c935
  984f0c70e0e68b77e2a689daf3efe8721df158a136ade73530acca4f483a797a
  bc0ab182b324fb61d108a94bb2c8e3fbb96adab760d7f4681d4f42a3de394df4
  ae56ede76372bb190b07a7c8ee0a6d709e02fce1cdf7e2ecc03404cd28342f61
  9172fe9ce98583ff8e4f1232eef28183c3fe3b1b4c6fad733bb5fcbc2ec22005
  c58ef1837d1683b2c6f34a26c1b2effa886b423861285c97ffffffffffffffff
`,
}
