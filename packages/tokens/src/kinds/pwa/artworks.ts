// Signs of apps as shapes of the unit square: pure, for descriptors, too.

/** Whether a point of the unit square belongs to the sign; x goes right, y goes down. */
export type Shape = (x: number, y: number) => boolean

const box =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x <= right && y >= top && y <= bottom
const disc =
  (centreX: number, centreY: number, radius: number): Shape =>
  (x, y) =>
    (x - centreX) ** 2 + (y - centreY) ** 2 <= radius ** 2
const either =
  (...shapes: Shape[]): Shape =>
  (x, y) =>
    shapes.some((shape) => shape(x, y))
const without =
  (shape: Shape, hole: Shape): Shape =>
  (x, y) =>
    shape(x, y) && !hole(x, y)

export interface Artwork {
  /** Red, green and blue of the square. */
  readonly colour: readonly [number, number, number]
  readonly sign: Shape
}

export const ARTWORKS = {
  folder: {
    colour: [0x1a, 0x73, 0xe8],
    sign: either(box(0.22, 0.3, 0.48, 0.4), box(0.22, 0.36, 0.78, 0.7)),
  },
  key: {
    colour: [0x5f, 0x63, 0x68],
    sign: either(
      without(disc(0.36, 0.5, 0.15), disc(0.36, 0.5, 0.07)),
      box(0.49, 0.46, 0.8, 0.54),
      box(0.72, 0.54, 0.79, 0.64),
      box(0.6, 0.54, 0.66, 0.6),
    ),
  },
  lock: {
    colour: [0x18, 0x80, 0x38],
    sign: either(
      box(0.28, 0.46, 0.72, 0.76),
      without(without(disc(0.5, 0.44, 0.18), disc(0.5, 0.44, 0.11)), box(0, 0.46, 1, 1)),
    ),
  },
  mail: {
    colour: [0xc5, 0x22, 0x1f],
    sign: without(box(0.2, 0.32, 0.8, 0.68), (x, y) => Math.abs(y - (0.56 - 0.7 * Math.abs(x - 0.5))) < 0.02),
  },
  camera: {
    colour: [0x20, 0x21, 0x24],
    sign: either(
      without(box(0.2, 0.36, 0.8, 0.7), disc(0.5, 0.53, 0.12)),
      disc(0.5, 0.53, 0.07),
      box(0.4, 0.29, 0.6, 0.37),
    ),
  },
  cloud: {
    colour: [0x03, 0x9b, 0xe5],
    sign: either(
      disc(0.36, 0.56, 0.13),
      disc(0.52, 0.46, 0.17),
      disc(0.67, 0.57, 0.12),
      box(0.36, 0.56, 0.67, 0.69),
    ),
  },
  wallet: {
    colour: [0x68, 0x1d, 0xa8],
    sign: without(either(box(0.2, 0.34, 0.74, 0.7), box(0.6, 0.44, 0.8, 0.6)), disc(0.69, 0.52, 0.035)),
  },
} as const satisfies Readonly<Record<string, Artwork>>

export type IconName = keyof typeof ARTWORKS

export const ICON_NAMES = Object.keys(ARTWORKS) as IconName[]

/** `#rrggbb` of the square. */
export const colourOf = (name: IconName): string =>
  `#${ARTWORKS[name].colour.map((it) => it.toString(16).padStart(2, '0')).join('')}`
