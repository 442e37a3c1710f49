import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createDocuments } from '../../../api/oauth/documents.ts'

const seen: string[] = []
const server = createServer((request, response) => {
  seen.push(request.url ?? '')
  if (request.url === '/moved') response.writeHead(302, { location: '/client' }).end()
  else if (request.url === '/long') response.end('x'.repeat(6_000))
  else response.setHeader('cache-control', 'max-age=60').end('{}')
})
let host = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  seen.splice(0)
})

/** Documents read by the guard; only the local one is allowed by name. */
const documents = (allowedHosts: string[], now?: () => number) => createDocuments(createGuardedFetch({ allowedHosts }), now)

/** A caller within its share. */
const counted = async (): Promise<void> => undefined

describe('documents of clients', () => {
  test('a document is read with its cache header', async () => {
    const answer = await documents([host]).fetch(`http://${host}/client`)
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'max-age=60', '{}'])
  })

  test.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254'])(
    'no document of %s is read',
    async (name) => {
      const port = host.split(':')[1]
      for (const url of [`https://${name}/client`, `https://${name}:${port}/client`, `http://${name}:${port}/client`])
        await expect(documents([]).fetch(url)).rejects.toThrow('refused')
      expect(seen).toEqual([])
    },
  )

  test.each([
    ['/moved', 'redirected'],
    ['/long', 'too_large'],
  ])('%s is no document', async (path, failure) => {
    await expect(documents([host]).fetch(`http://${host}${path}`)).rejects.toThrow(failure)
    expect(seen).toEqual([path])
  })

  test('a document that was not read is asked for again after a minute', async () => {
    let at = 1_000
    const read = documents([], () => at)
    const url = `https://${host}/client`
    expect(await read.isAllowed(url, counted)).toBe(true)
    await expect(read.fetch(url)).rejects.toThrow('refused')
    at += 59_999
    expect(await read.isAllowed(url, counted)).toBe(false)
    at += 2
    expect(await read.isAllowed(url, counted)).toBe(true)
  })

  test.each(['https://agent.example', 'https://agent.example/', 'https://agent.example/?client', 'no address'])(
    '%s names none',
    async (url) => {
      expect(await documents([]).isAllowed(url, counted)).toBe(false)
    },
  )

  test('a document above the share of its caller is refused before it counts for its host', async () => {
    const read = documents([])
    const url = 'https://one.example/client'
    const refusal = new Error('above the share')
    for (let count = 0; count < 11; count++) await expect(read.isAllowed(url, () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(await read.isAllowed(url, counted)).toBe(true)
  })

  test('in a minute at most 10 documents of a host are read, and 300 of all', async () => {
    let at = 1_000
    const read = documents([], () => at)
    const ofHost = async (name: string, count: number): Promise<number> =>
      (await Promise.all(Array.from({ length: count }, (_, index) => read.isAllowed(`https://${name}/${index}`, counted)))).filter(Boolean)
        .length
    expect(await ofHost('one.example', 20)).toBe(10)
    const ofOthers = await Promise.all(Array.from({ length: 70 }, (_, index) => ofHost(`h${index}.example`, 5)))
    expect(ofOthers.reduce((sum, made) => sum + made, 0)).toBe(290)
    at += 60_001
    expect(await ofHost('one.example', 1)).toBe(1)
  })
})
