import { describe, expect, test } from '@jest/globals'
import { denialOf, isDeniedRepo, maintainerPolicy, openPrCap } from '../../../domain/pull-requests/maintainer-policy.ts'
import { settings } from '../../../schemas/pull-requests/settings.ts'

const denied = settings.MAINTAINER_REPO_DENYLIST.parse(undefined)

describe('the deny list', () => {
  test('names repositories and whole owners, in any case, and no other', () => {
    const named = ['bitcoin/bitcoin', 'NodeJS/Node', 'w3c/anything', 'tc39/proposal-x', 'golang/go']
    const others = ['acme/widgets', 'bitcoin/bips', 'golang/gopls', 'w3cx/site', 'my/w3c']
    expect([...named, ...others].filter((repo) => isDeniedRepo(repo, denied))).toEqual(named)
  })
  test('is asked about the repository of the source, declared or not, and the source may deny itself', () => {
    expect(denialOf({ type: 'codehost_issue', repo: 'openssl/openssl' }, denied)).toEqual({ repo: 'openssl/openssl' })
    expect(denialOf({ type: 'external', declared: { repo: 'openssl/openssl' } }, denied)).toEqual({ repo: 'openssl/openssl' })
    expect(denialOf({ type: 'codehost_issue', repo: 'acme/widgets' }, denied)).toBeNull()
    expect(denialOf(undefined, denied)).toBeNull()
    const maintainerPolicy = { repoDenied: true }
    expect(denialOf({ type: 'codehost_issue', repo: 'acme/widgets', maintainerPolicy }, denied)).toEqual({ repo: 'acme/widgets' })
    expect(denialOf({ type: 'codehost_issue', repo: 'acme/widgets', maintainerPolicy: { repoDenied: false } }, denied)).toBeNull()
  })
  test.each([
    ['names none', {}],
    ['names it in an unreadable form', { repo: 'the widgets of acme', issueUrl: 'issue 7' }],
    ['names it in no text', { repo: ['acme/widgets'] }],
  ])('is not needed where a source denies itself and %s', (_how, source) => {
    expect(denialOf({ type: 'manual', ...source, maintainerPolicy: { repoDenied: true } }, denied)).toEqual({ repo: null })
  })
  test.each([
    ['with .git behind it', { repo: 'golang/go.git' }, 'golang/go'],
    ['as an address', { repo: 'https://github.com/GoLang/Go' }, 'GoLang/Go'],
    ['as an address for git', { repo: 'git@github.com:golang/go.git' }, 'golang/go'],
    ['as an address with a port', { repo: 'ssh://git@github.com:22/golang/go.git' }, 'golang/go'],
    ['as a page', { repo: 'github.com/w3c/html/tree/main' }, 'w3c/html'],
    ['with spaces around it', { repo: ' golang/go ' }, 'golang/go'],
    ['on a host with parts and a port', { repo: 'git.internal.example.com:8443/golang/go/tree/main' }, 'golang/go'],
    ['with more lines behind it', { repo: 'golang/go#a\nb' }, 'golang/go'],
    ['with a slash too many', { repo: 'https://github.com//golang/go' }, 'golang/go'],
    ['with what follows a name', { repo: 'golang/go#readme' }, 'golang/go'],
    ['with a query', { repo: 'https://github.com/golang/go?tab=readme' }, 'golang/go'],
    ['in the API', { repo: 'https://api.github.com/repos/golang/go/issues/1' }, 'golang/go'],
    ['on a host with a dot behind it', { repo: 'https://github.com./w3c/x' }, 'w3c/x'],
    ['on a host without a name', { repo: 'http://127.0.0.1:8080/golang/go' }, 'golang/go'],
    ['in its issue', { repo: 'acme/free', issueUrl: 'https://github.com/golang/go/issues/7' }, 'golang/go'],
    ['in the issue alone', { issueUrl: ' https://github.com/golang/go/issues/7' }, 'golang/go'],
    ['in the issue that a poster declares', { repo: 'acme/free', declared: { issueUrl: 'https://github.com/tc39/x/issues/7' } }, 'tc39/x'],
    ['in an API under a path', { repo: 'https://codehost.example/api/v3/repos/golang/go' }, 'golang/go'],
    ['in an API without scheme', { issueUrl: 'api.github.com/repos/golang/go/issues/7' }, 'golang/go'],
    ['on a host of one word', { repo: 'localhost:3000/golang/go' }, 'golang/go'],
    ['for git without user', { declared: { repo: 'github.com:golang/go' } }, 'golang/go'],
    ['with letters escaped', { repo: 'https://github.com/%67olang/go' }, 'golang/go'],
    ['in its own address', { repo: 'acme/free', repoUrl: 'https://github.com/golang/go' }, 'golang/go'],
    ['in its own address alone', { repoUrl: 'https://github.com/golang/go' }, 'golang/go'],
    ['in the address that a poster declares', { repo: 'acme/free', declared: { repoUrl: 'https://github.com/tc39/x' } }, 'tc39/x'],
    ['by a poster beside another', { repo: 'acme/free', declared: { repo: 'golang/go' } }, 'golang/go'],
  ])('knows the repository %s', (_how, source, repo) => {
    expect(denialOf({ type: 'codehost_issue', ...source }, denied)).toEqual({ repo })
  })
  test('takes two words for owner and name even where the owner has a dot', () => {
    expect(denialOf({ type: 'codehost_issue', repo: 'foo.io/bar' }, ['foo.io/*'])).toEqual({ repo: 'foo.io/bar' })
    expect(denialOf({ type: 'codehost_issue', repo: 'foo.io/golang/go' }, denied)).toEqual({ repo: 'golang/go' })
  })
  test.each([
    ...[{ repo: 'golang/go.gitignore' }, { repo: 'a/github.com/golang/go' }, { repo: 'https://host.example/a/repos/golang/go' }],
    ...[{ repo: 'golang' }, { repo: 7 }, { repo: 'https://github.com/acme/free', issueUrl: null }],
    ...[{ issueUrl: 'golang/' }, { declared: 'golang/go' }],
  ])('names nothing in %j', (source) => {
    expect(denialOf({ type: 'codehost_issue', ...source }, denied)).toBeNull()
  })
})

describe('the policy of a source', () => {
  test.each([
    ['no source', undefined],
    ['no word of it', { type: 'codehost_issue' }],
    ['nothing in it', { type: 'codehost_issue', maintainerPolicy: null }],
    ['a text', { type: 'codehost_issue', maintainerPolicy: 'be kind' }],
    ['a list', { type: 'codehost_issue', maintainerPolicy: [{ repoDenied: true }] }],
  ])('is empty with %s', (_name, source) => {
    expect(maintainerPolicy(source)).toEqual({})
  })
})

describe('the cap of open pull requests', () => {
  const source = { type: 'codehost_issue', repo: 'acme/widgets' }
  test('is the usual one where the maintainer names none', () => {
    expect(openPrCap({ verifierMode: 'codehost_pr', source }, 3)).toBe(3)
  })
  test.each([
    ['one', 1, 1],
    ['more than usual', 5, 5],
    ['none at all', 0, 0],
    ['less than none', -1, 3],
    ['half of one', 1.5, 3],
    ['a word', 'many', 3],
    ['a number as text', '2', 3],
  ])('is held to a whole number: %s', (_name, cap, held) => {
    expect(openPrCap({ verifierMode: 'codehost_pr', source: { ...source, maintainerPolicy: { openPrCap: cap } } }, 3)).toBe(held)
  })
  test('is none for work that opens no pull request for an issue', () => {
    expect(openPrCap({ verifierMode: 'benchmark', source }, 3)).toBeNull()
    expect(openPrCap({ verifierMode: 'codehost_pr', source: { type: 'external', repo: 'acme/widgets' } }, 3)).toBeNull()
    expect(openPrCap({ verifierMode: 'codehost_pr' }, 3)).toBeNull()
  })
})
