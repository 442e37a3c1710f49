import { inflateRawSync } from 'node:zlib'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8

const findDirectory = (zip: Buffer): { offset: number; count: number } => {
  for (let at = zip.length - 22; at >= 0; at--)
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return { offset: zip.readUInt32LE(at + 16), count: zip.readUInt16LE(at + 10) }
  throw new Error('not a zip archive')
}

const content = (zip: Buffer, entry: { method: number; size: number; header: number }): Buffer => {
  if (zip.readUInt32LE(entry.header) !== LOCAL_HEADER) throw new Error('damaged zip archive')
  const start = entry.header + 30 + zip.readUInt16LE(entry.header + 26) + zip.readUInt16LE(entry.header + 28)
  const packed = zip.subarray(start, start + entry.size)
  if (entry.method === STORED) return Buffer.from(packed)
  if (entry.method === DEFLATED) return inflateRawSync(packed)
  throw new Error(`zip method ${entry.method} is not supported`)
}

/** Content of the first file in a zip archive whose path ends so. Throws when there is none. */
export const unzipOne = (zip: Buffer, pathEnding: string): Buffer => {
  const directory = findDirectory(zip)
  let at = directory.offset
  for (let index = 0; index < directory.count; index++) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('damaged zip archive')
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (name.endsWith(pathEnding))
      return content(zip, { method: zip.readUInt16LE(at + 10), size: zip.readUInt32LE(at + 20), header: zip.readUInt32LE(at + 42) })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  throw new Error(`the archive holds no ${pathEnding}`)
}
