import { inflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row. */
  data: Uint8Array
}

const SIGNATURE = '89504e470d0a1a0a'

/** Undoes the filter of a row (PNG, "Filter types"), with the bytes of the pixel before and of the row above. */
const predicted = (filter: number, left: number, above: number, corner: number): number => {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const distances = [left, above, corner].map((value) => Math.abs(left + above - corner - value))
  return [left, above, corner][distances.indexOf(Math.min(...distances))] ?? 0
}

/** Decodes a PNG of eight bits a channel with alpha, not interlaced. */
export const decodePng = (png: Buffer): Pixels => {
  if (png.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('this is no PNG')
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png.subarray(24, 29).toString('hex')]
  if (kind !== '0806000000') throw new Error(`a PNG of the kind ${kind}`)
  const raw = inflateSync(Buffer.concat(parts))
  const row = width * 4
  const data = new Uint8Array(row * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)] ?? 0
    for (let x = 0; x < row; x += 1) {
      const at = y * row + x
      const left = x < 4 ? 0 : (data[at - 4] ?? 0)
      const above = y === 0 ? 0 : (data[at - row] ?? 0)
      const corner = x < 4 || y === 0 ? 0 : (data[at - row - 4] ?? 0)
      data[at] = (raw[y * (row + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner)
    }
  }
  return { width, height, data }
}

/** Places at which two pictures of one size differ, as `[x, y]`. */
export const differences = (one: Pixels, other: Pixels): [x: number, y: number][] => {
  const places: [number, number][] = []
  for (let at = 0; at < one.data.length; at += 4)
    if ([0, 1, 2, 3].some((channel) => one.data[at + channel] !== other.data[at + channel]))
      places.push([(at / 4) % one.width, Math.floor(at / 4 / one.width)])
  return places
}
