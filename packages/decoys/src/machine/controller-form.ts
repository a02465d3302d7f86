// What is known of a controller.

/** What a device says about itself by Modbus (MODBUS Application Protocol 1.1b3, 6.21): seven texts, in their order. */
export type Identity = readonly [
  vendorName: string,
  productCode: string,
  majorMinorRevision: string,
  vendorUrl: string,
  productName: string,
  modelName: string,
  userApplicationName: string,
]

export interface Controller {
  readonly identity: Identity
  /** The first three bytes of its hardware address. */
  readonly makerPrefix: string
  /** Its object identifier below `enterprises`: its maker's number comes first. */
  readonly product: string
  readonly serial: string
}
