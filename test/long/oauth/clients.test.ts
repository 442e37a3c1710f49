// The official clients of the tool protocol know the address of the service alone, and end with a badge. A program plays the person.
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { type ClientKind, connectSigning } from '../../e2e/tools/support/clients.ts'
import { callWell } from '../../e2e/tools/support/follow.ts'
import { grantClient } from '../../support/fleet/oauth.ts'
import { openDirectory } from '../../support/state-directory.ts'
import { createAuthority } from '../support/certificates.ts'
import { askForSignIn, createHost, earnBadge, finishSignIn, revokeOnly } from './sign-in.ts'

const REDIRECT = 'http://127.0.0.1:8787/callback'
const PATH = '/client.json'

/** Documents that name what no registration may, each by its path. */
const BAD_DOCUMENTS: Record<string, (documentUrl: string) => object> = {
  '/web.json': () => ({ application_type: 'web' }),
  '/sector.json': (url) => ({ sector_identifier_uri: url.replace(PATH, '/sector') }),
}

/** The stack trusts the authority of the document's certificate, and may read from its host. */
const env: Record<string, string> = {}
const directory = openDirectory('document')
let documents: Server
let documentUrl: string
const reads: string[] = []

beforeAll(async () => {
  const { cert: authority, sign } = createAuthority(directory, 'authority')
  const { cert, key } = sign('document', 'DNS:localhost')
  documents = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const path = request.url ?? ''
    reads.push(path)
    const document = {
      client_id: documentUrl.replace(PATH, path),
      client_name: 'Document agent',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...BAD_DOCUMENTS[path]?.(documentUrl),
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  })
  await once(documents.listen(0, 'localhost'), 'listening')
  const host = `localhost:${(documents.address() as AddressInfo).port}`
  documentUrl = `https://${host}${PATH}`
  Object.assign(env, { LOCAL_CALLER_HOSTS: host, NODE_EXTRA_CA_CERTS: authority })
})
const world = useWorld({ env })
afterAll(() => {
  documents.close()
  rmSync(directory, { recursive: true })
})

interface Case {
  kind: ClientKind
  /** Whether the client has a document; else it registers itself. */
  hasDocument: boolean
}

const CASES: Case[] = [
  { kind: 'client 2, by its default', hasDocument: false },
  { kind: 'client 2, pinned to 2026-07-28', hasDocument: true },
  { kind: 'client 1', hasDocument: false },
]

describe.each(CASES)('$kind, with a document: $hasDocument', ({ kind, hasDocument }) => {
  test('finds the page by the address alone, earns a badge, and asks again once the owner has revoked', async () => {
    const agent = await fundedAgent(world())
    const jobId = await createJob(world())
    const host = createHost(REDIRECT, hasDocument ? documentUrl : undefined)
    const client = await connectSigning(kind, world().base, host.provider)
    const address = await askForSignIn(client, host)
    expect(`${address.origin}${address.pathname}`).toBe(`${world().base}/oauth/authorize`)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      resource: `${world().base}/mcp`,
      scope: 'read claim submit',
      code_challenge_method: 'S256',
    })
    const readBefore = reads.length
    await finishSignIn(client, host, await grantClient(world(), address, agent.account))
    expect(reads.slice(readBefore)).toEqual(hasDocument ? [PATH] : [])
    const { sessionId } = await earnBadge(client, world(), jobId)
    expect(sessionId).toBe(`${jobId}:${agent.account.address}`)
    const name = hasDocument ? 'Document agent' : 'Test agent'
    expect((await revokeOnly(agent)).client).toEqual({ name, host: new URL(REDIRECT).host })
    const again = await askForSignIn(client, host)
    await finishSignIn(client, host, await grantClient(world(), again, agent.account))
    expect((await callWell(client, 'listSessions')).sessions).toHaveLength(1)
    await client.close()
  })
})

test.each(Object.keys(BAD_DOCUMENTS))('the document %s is one of no client, or leads to no other address', async (path) => {
  const readBefore = reads.length
  const query = new URLSearchParams({
    client_id: documentUrl.replace(PATH, path),
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const { status } = await world().call(`/oauth/authorize?${query}`)
  expect([status, reads.slice(readBefore)]).toEqual([path === '/web.json' ? 400 : 303, [path]])
})
