/** Of the Bird's software; the console decides by it what it may ask of the Bird. */
export const VERSION = '3.0.0'
