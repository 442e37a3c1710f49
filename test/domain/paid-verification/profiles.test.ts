import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import {
  getProfile,
  PROFILES,
  parseProfileRequest,
  profileDigest,
  profileRef,
  publishProfiles,
} from '../../../domain/paid-verification/profiles.ts'
import { INPUT_LIMITS, isProfileName, PROFILE_REQUESTS } from '../../../schemas/paid-verification/profiles/inputs.ts'
import { PROFILE_DOCUMENTS, PUBLISHED_DIGESTS } from '../../../schemas/paid-verification/profiles/profiles.ts'
import { refusalOf } from '../builders/refusal.ts'
import { GIT_PATCH, MCP_FAILURE, STRUCTURED_OUTPUT } from './builders/requests.ts'

type Path = readonly (string | number)[]

/** Every leaf of a JSON value, by its path. */
const leaves = (value: unknown, path: Path = []): { path: Path; value: unknown }[] => {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
}

/** The document with another value at a path. */
const changed = (document: object, path: Path, value: unknown): object => {
  const copy = structuredClone(document)
  const last = path.length - 1
  const parent = path.slice(0, last).reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy as never)
  parent[path[last] as string] = value
  return copy
}

const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return `${String(value)}x`
}

const DOCUMENTS = PROFILE_DOCUMENTS.map((document) => {
  const { name, version } = document as { name: string; version: number }
  return { ref: profileRef({ name, version }), document: document as object }
})

describe('published profiles', () => {
  test('every published digest has its document, and every document its digest', () => {
    expect(PROFILES.map(({ ref }) => ref)).toEqual(Object.keys(PUBLISHED_DIGESTS))
    expect(PROFILES.map(({ digest }) => digest)).toEqual(Object.values(PUBLISHED_DIGESTS))
  })

  test.each(DOCUMENTS)('$ref is refused as soon as any one member of it changes', ({ ref, document }) => {
    const members = leaves(document)
    expect(members.length).toBeGreaterThan(40)
    for (const { path, value } of members) {
      const copy = changed(document, path, other(value))
      expect(profileDigest(copy)).not.toBe(PUBLISHED_DIGESTS[ref])
    }
    const limits = ['limits', 'timeoutMs']
    const refusal = refusalOf(() => publishProfiles([changed(document, limits, 1_000)], PUBLISHED_DIGESTS))
    expect(refusal).toMatchObject({ code: 'verification_profile_immutable', info: { details: { profileRef: ref } } })
  })

  test.each(DOCUMENTS)('$ref is refused with a member more or a member less', ({ ref, document }) => {
    const { limits: _limits, ...less } = document as Record<string, unknown>
    for (const copy of [{ ...document, price: '5' }, less]) {
      expect(profileDigest(copy)).not.toBe(PUBLISHED_DIGESTS[ref])
      expect(() => publishProfiles([copy], PUBLISHED_DIGESTS)).toThrow()
    }
  })

  test('a document under a version that no row publishes is refused', () => {
    const [first] = DOCUMENTS
    const refusal = refusalOf(() => publishProfiles([{ ...first?.document, version: 2 }], PUBLISHED_DIGESTS))
    expect(refusal?.code).toBe('verification_profile_immutable')
    expect(refusal?.info.details).toMatchObject({ profileRef: 'git-patch-tests-v1@2', published: null })
  })

  test.each(PROFILES)('the document of $ref states the schema with which its requests are read', ({ document }) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(PROFILE_REQUESTS[document.name], { io: 'input' })
    expect(document.inputSchema).toEqual(schema)
  })

  test('the limits of the documents are those with which sizes of inputs are read', () => {
    expect(getProfile('git-patch-tests-v1', 1).document.limits.sizeBytes).toBe(INPUT_LIMITS.gitTotal)
    expect(getProfile('structured-output-evidence-v1', 1).document.limits).toMatchObject({
      sizeBytes: INPUT_LIMITS.evidenceTotal,
      outputBytes: INPUT_LIMITS.output,
      schemaBytes: INPUT_LIMITS.schema,
      sourceBytes: INPUT_LIMITS.source,
      jsonDepth: 32,
    })
  })

  test('a profile is found by its name and version only', () => {
    expect(getProfile('git-patch-tests-v1', 1).ref).toBe('git-patch-tests-v1@1')
    for (const [name, version] of [
      ['git-patch-tests-v1', 2],
      ['git-patch-tests', 1],
      ['toString', 1],
    ] as const)
      expect(refusalOf(() => getProfile(name, version))?.code).toBe('verification_profile_not_found')
    expect(isProfileName('constructor')).toBe(false)
  })
})

const GIT = GIT_PATCH.inputs
const EVIDENCE = STRUCTURED_OUTPUT.inputs
const git = (inputs: object, target: object = GIT_PATCH.target) => ({ target, inputs: { ...GIT, ...inputs } })
const evidence = (inputs: object) => ({ target: {}, inputs: { ...EVIDENCE, ...inputs } })
const mcp = (target: object) => ({ target: { ...MCP_FAILURE.target, ...target }, inputs: {} })
const bundle = (changes: object) => git({ gitBundle: { ...GIT.gitBundle, ...changes } })
const locator = (url: string, kind = 'https') => bundle({ locator: { kind, url } })

describe('the request of a profile', () => {
  test.each([
    ['git-patch-tests-v1', GIT_PATCH],
    ['mcp-failure-semantics-v1', MCP_FAILURE],
    ['structured-output-evidence-v1', STRUCTURED_OUTPUT],
    ['git-patch-tests-v1', git({ workingDirectory: 'packages/core', allowedPaths: ['src/..hidden', 'docs'], maximumChangedFiles: 100 })],
    ['mcp-failure-semantics-v1', mcp({ auth: { scheme: 'bearer', credentialRef: 'staging' } })],
    ['structured-output-evidence-v1', evidence({ citationsPointer: '' })],
    ['structured-output-evidence-v1', evidence({ citationsPointer: '/a~1b/0' })],
  ] as const)('%s takes the request unchanged (%#)', (name, request) => {
    expect(parseProfileRequest(name, request)).toEqual(request)
  })

  test.each([
    ['git-patch-tests-v1', git({ extra: 1 }), '/inputs/extra'],
    ['git-patch-tests-v1', git({}, { ...GIT_PATCH.target, branch: 'main' }), '/target/branch'],
    ['git-patch-tests-v1', git({}, { ...GIT_PATCH.target, commit: 'A'.repeat(40) }), '/target/commit'],
    ['git-patch-tests-v1', git({}, { ...GIT_PATCH.target, repository: 'r'.repeat(501) }), '/target/repository'],
    ['git-patch-tests-v1', git({ testCommand: [] }), '/inputs/testCommand'],
    ['git-patch-tests-v1', git({ testCommand: ['npm', 'a\u0000b'] }), '/inputs/testCommand/1'],
    ['git-patch-tests-v1', git({ workingDirectory: '../outside' }), '/inputs/workingDirectory'],
    ['git-patch-tests-v1', git({ workingDirectory: '/etc' }), '/inputs/workingDirectory'],
    ['git-patch-tests-v1', git({ allowedPaths: ['src/./a'] }), '/inputs/allowedPaths/0'],
    ['git-patch-tests-v1', git({ protectedPaths: ['test\\a'] }), '/inputs/protectedPaths/0'],
    ['git-patch-tests-v1', git({ maximumChangedFiles: 101 }), '/inputs/maximumChangedFiles'],
    ['git-patch-tests-v1', bundle({ sha256: 'A'.repeat(64) }), '/inputs/gitBundle/sha256'],
    ['git-patch-tests-v1', bundle({ bytes: 0 }), '/inputs/gitBundle/bytes'],
    ['git-patch-tests-v1', bundle({ bytes: INPUT_LIMITS.gitTotal }), '/inputs'],
    ['git-patch-tests-v1', bundle({ format: 'zip' }), '/inputs/gitBundle/format'],
    ['git-patch-tests-v1', locator('http://a.example/b'), '/inputs/gitBundle/locator/url'],
    ['git-patch-tests-v1', locator('https://user:secret@a.example/b'), '/inputs/gitBundle/locator/url'],
    ['git-patch-tests-v1', locator('https://a.example/b#c'), '/inputs/gitBundle/locator/url'],
    ['git-patch-tests-v1', locator('https://a.example:99999/b'), '/inputs/gitBundle/locator/url'],
    ['git-patch-tests-v1', locator(`https://a.example/${'b'.repeat(2_048)}`), '/inputs/gitBundle/locator/url'],
    ['git-patch-tests-v1', locator('https://a.example/b', 'ipfs'), '/inputs/gitBundle/locator/kind'],
    ['mcp-failure-semantics-v1', mcp({ endpoint: 'wss://mcp.example/socket' }), '/target/endpoint'],
    ['mcp-failure-semantics-v1', mcp({ transport: 'stdio' }), '/target/transport'],
    ['mcp-failure-semantics-v1', mcp({ transport: 'websocket' }), '/target/transport'],
    ['mcp-failure-semantics-v1', mcp({ auth: { scheme: 'bearer', credentialRef: 'a b' } }), '/target/auth/credentialRef'],
    ['mcp-failure-semantics-v1', mcp({ auth: { scheme: 'bearer', credentialRef: 'a', token: 's' } }), '/target/auth/token'],
    ['mcp-failure-semantics-v1', { ...MCP_FAILURE, inputs: { tools: [] } }, '/inputs/tools'],
    ['structured-output-evidence-v1', evidence({ sources: [] }), '/inputs/sources'],
    ['structured-output-evidence-v1', evidence({ sources: Array(17).fill(EVIDENCE.sources[0]) }), '/inputs/sources'],
    ['structured-output-evidence-v1', evidence({ output: { ...EVIDENCE.output, bytes: INPUT_LIMITS.output + 1 } }), '/inputs/output/bytes'],
    ['structured-output-evidence-v1', evidence({ citationsPointer: 'citations' }), '/inputs/citationsPointer'],
    ['structured-output-evidence-v1', evidence({ citationsPointer: '/a~2' }), '/inputs/citationsPointer'],
    [
      'structured-output-evidence-v1',
      evidence({ sources: Array(5).fill({ ...EVIDENCE.sources[0], bytes: INPUT_LIMITS.source }) }),
      '/inputs',
    ],
    ['structured-output-evidence-v1', { target: { a: 1 }, inputs: EVIDENCE }, '/target/a'],
    ['structured-output-evidence-v1', { target: null, inputs: undefined }, '/target'],
  ] as const)('%s is refused by the pointer of the broken rule (%#)', (name, request, pointer) => {
    const refusal = refusalOf(() => parseProfileRequest(name, request))
    expect(refusal?.code).toBe('invalid_request')
    expect(refusal?.info.errors?.map((error) => error.pointer)).toContain(pointer)
  })
})
