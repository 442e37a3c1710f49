// What a buyer has verified, on this machine: a host of artefacts and two tool servers, over TLS as the profiles demand.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll } from '@jest/globals'
import { startTarget } from '../../activities/paid-verification/support/mcp-server.ts'
import { startHttpServer } from '../../activities/support/http-server.ts'
import { createAuthority } from '../../long/support/certificates.ts'
import { requestFor } from '../../support/sandbox/repository.ts'
import { openDirectory } from '../../support/state-directory.ts'

/** What the closed tool server demands. */
export const TARGET_TOKEN = 'tk-of-the-closed-target-0123456789'
const SOURCE = 'The bridge carries two lanes of traffic over the river, and has done so since 1894.'
const SCHEMA = '{"type":"object","required":["lanes"]}'
const FIXED = { 'src/sum.js': 'export const sum = (a, b) => a + b\n' }

const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** Body of a quote and of a run. */
export interface RunRequest {
  profile: string
  profileVersion: number
  target: Record<string, unknown>
  inputs: Record<string, unknown>
}

const open = async (directory: string) => {
  const { cert: authority, sign } = createAuthority(directory, 'authority')
  const signed = sign('targets', 'IP:127.0.0.1')
  const tls = { cert: readFileSync(signed.cert), key: readFileSync(signed.key) }
  const files = new Map<string, string | Uint8Array>()
  const artefacts = await startHttpServer((request, response) => {
    const file = files.get(request.url ?? '')
    response.writeHead(file === undefined ? 404 : 200).end(file)
  }, tls)
  const tools = await startTarget({ tls })
  const closed = await startTarget({ tls, token: TARGET_TOKEN })
  const servers = [artefacts, tools, closed]

  const artefact = (content: string | Uint8Array, format: string, isServed = true) => {
    const sha256 = sha256Of(content)
    if (isServed) files.set(`/${sha256}`, content)
    return { sha256, bytes: Buffer.from(content).length, locator: { kind: 'https', url: `${artefacts.url}/${sha256}` }, format }
  }

  return {
    env: { LOCAL_CALLER_HOSTS: servers.map(({ host }) => host).join(','), NODE_EXTRA_CA_CERTS: authority },
    closed,

    /** An output that quotes its source. With `quote` it quotes something else, and with `isGone` its source is not there. */
    structuredOutput: ({ quote = 'carries two lanes of traffic', isGone = false } = {}): RunRequest => ({
      profile: 'structured-output-evidence-v1',
      profileVersion: 1,
      target: {},
      inputs: {
        output: artefact(JSON.stringify({ lanes: 2, citations: [{ source: sha256Of(SOURCE), quote, claim: '/lanes' }] }), 'json'),
        schema: artefact(SCHEMA, 'json-schema'),
        sources: [artefact(isGone ? `${SOURCE} It is gone.` : SOURCE, 'text', !isGone)],
      },
    }),

    toolServer: (target: Record<string, unknown> = {}): RunRequest => ({
      profile: 'mcp-failure-semantics-v1',
      profileVersion: 1,
      target: { endpoint: tools.endpoint, transport: 'streamable_http', ...target },
      inputs: {},
    }),

    /** A patch that makes the failing tests of its repository pass. */
    patch: (): RunRequest => {
      const { bundle, patch, declaration } = requestFor(FIXED)
      const { repository, commit, testCommand } = declaration
      const inputs = { gitBundle: artefact(bundle, 'git-bundle'), patch: artefact(patch, 'git-patch'), testCommand }
      return { profile: 'git-patch-tests-v1', profileVersion: 1, target: { repository, commit }, inputs }
    },

    stop: () => Promise.all(servers.map(({ stop }) => stop())),
  }
}
export type Targets = Awaited<ReturnType<typeof open>>

/** Targets for the tests of a file. `env` gets, before a stack of this file starts, the settings with which it reaches them. */
export const useTargets = (env: Record<string, string>): (() => Targets) => {
  const directory = openDirectory('targets')
  let targets: Targets
  beforeAll(async () => {
    targets = await open(directory)
    Object.assign(env, targets.env)
  })
  afterAll(async () => {
    await targets?.stop()
    rmSync(directory, { recursive: true })
  })
  return () => targets
}
