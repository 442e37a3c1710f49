import { describe, expect, test } from '@jest/globals'
import { deniedRepo, isDeniedRepo, openPrCap } from '../../domain/maintainer-policy.ts'
import { readSettings } from '../../schemas/config.ts'

const { MAINTAINER_REPO_DENYLIST: denied } = readSettings({ DATABASE_URL: 'unused', CHAIN_FILE: 'unused' })

describe('the deny list', () => {
  test.each([['bitcoin/bitcoin'], ['NodeJS/Node'], ['w3c/anything'], ['tc39/proposal-x'], ['golang/go']])('names %s', (repo) => {
    expect(isDeniedRepo(repo, denied)).toBe(true)
  })
  test.each([['acme/widgets'], ['bitcoin/bips'], ['golang/gopls'], ['w3cx/site'], ['my/w3c']])('does not name %s', (repo) => {
    expect(isDeniedRepo(repo, denied)).toBe(false)
  })
  test('is asked about the repository of the source, declared or not, and the source may deny itself', () => {
    expect(deniedRepo({ type: 'codehost_issue', repo: 'openssl/openssl' }, denied)).toBe('openssl/openssl')
    expect(deniedRepo({ type: 'external', declared: { repo: 'openssl/openssl' } }, denied)).toBe('openssl/openssl')
    expect(deniedRepo({ type: 'codehost_issue', repo: 'acme/widgets', maintainerPolicy: { repoDenied: true } }, denied)).toBe(
      'acme/widgets',
    )
    expect(deniedRepo({ type: 'codehost_issue', repo: 'acme/widgets' }, denied)).toBeNull()
    expect(deniedRepo(undefined, denied)).toBeNull()
  })
})

describe('the cap of open pull requests', () => {
  const source = { type: 'codehost_issue', repo: 'acme/widgets' }
  test('is the maintainer’s, or the usual one', () => {
    expect(openPrCap({ verifierMode: 'codehost_pr', source }, 3)).toBe(3)
    expect(openPrCap({ verifierMode: 'codehost_pr', source: { ...source, maintainerPolicy: { openPrCap: 1 } } }, 3)).toBe(1)
    expect(openPrCap({ verifierMode: 'codehost_pr', source: { ...source, maintainerPolicy: { openPrCap: 'many' } } }, 3)).toBe(3)
  })
  test('is none for work that opens no pull request for an issue', () => {
    expect(openPrCap({ verifierMode: 'benchmark', source }, 3)).toBeNull()
    expect(openPrCap({ verifierMode: 'codehost_pr', source: { type: 'external', repo: 'acme/widgets' } }, 3)).toBeNull()
    expect(openPrCap({ verifierMode: 'codehost_pr' }, 3)).toBeNull()
  })
})
