import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ensureCertificate } from '../../local/artefacts/certificate.ts'
import { type LocalArtefacts, startArtefacts } from '../../local/artefacts/server.ts'
import { openDirectory } from '../support/state-directory.ts'

const directory = openDirectory('artefacts')
const file = join(directory, 'artefacts.pem')
let certificate: string
let artefacts: LocalArtefacts

beforeAll(async () => {
  certificate = ensureCertificate(file)
  artefacts = await startArtefacts({ certificate })
})
afterAll(() => artefacts.stop())

interface Sent {
  method?: string
  path?: string
  content?: string | Buffer
  ca?: string
  host?: string
}

const send = async ({ method = 'GET', path = '/a', content = '', ca = certificate, host = '127.0.0.1' }: Sent) => {
  const sent = request(`https://${host}:${new URL(artefacts.url).port}${path}`, { method, ca })
  sent.end(content)
  const [answer] = await once(sent, 'response')
  return [answer.statusCode, (await buffer(answer)).toString()]
}

describe('the certificate of the local artefacts', () => {
  test('is for 127.0.0.1 alone, signs no other one, and outlasts every move of time', () => {
    const read = new X509Certificate(certificate)
    expect([read.subjectAltName, read.ca, read.verify(read.publicKey), read.validTo]).toEqual([
      'IP Address:127.0.0.1',
      false,
      true,
      'Dec 31 23:59:59 2049 GMT',
    ])
  })

  test('is kept in a file of its owner, and is another one for each stack', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(ensureCertificate(file)).toBe(certificate)
    expect(ensureCertificate(join(directory, 'other.pem'))).not.toBe(certificate)
  })

  test('is refused where its file holds something else', () => {
    writeFileSync(join(directory, 'bad.pem'), 'nothing')
    expect(() => ensureCertificate(join(directory, 'bad.pem'))).toThrow()
  })

  test('is not trusted by a client that knows another one, nor under another name', async () => {
    await expect(send({ ca: ensureCertificate(join(directory, 'other.pem')) })).rejects.toThrow('self-signed certificate')
    await expect(send({ host: 'localhost' })).rejects.toThrow('localhost')
  })
})

describe('the host of the local artefacts', () => {
  test('answers a file as it was put, until it is deleted', async () => {
    expect(await send({})).toEqual([404, ''])
    expect(await send({ method: 'PUT', content: 'one' })).toEqual([201, ''])
    expect(await send({ method: 'PUT', content: 'two' })).toEqual([201, ''])
    expect(await send({})).toEqual([200, 'two'])
    expect([await send({ method: 'DELETE' }), await send({ method: 'DELETE' }), await send({})]).toEqual([
      [204, ''],
      [404, ''],
      [404, ''],
    ])
  })

  test('refuses a file of more than 25 MiB', async () => {
    expect(await send({ method: 'PUT', path: '/large', content: Buffer.alloc(25 * 1024 * 1024 + 1) })).toEqual([413, ''])
    expect(await send({ path: '/large' })).toEqual([404, ''])
  })

  test('forgets the oldest of more than 200 files', async () => {
    for (let count = 0; count <= 200; count += 1) await send({ method: 'PUT', path: `/many/${count}`, content: `${count}` })
    expect([await send({ path: '/many/0' }), await send({ path: '/many/1' })]).toEqual([
      [404, ''],
      [200, '1'],
    ])
  })
})
