import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isRepoName } from '../../../domain/pull-requests/expected.ts'
import { parseRepository } from '../../../domain/pull-requests/repository.ts'
import { PR_URL } from '../builders/pull-request.ts'

describe('a repository is read', () => {
  test.each([
    // Names
    ...['acme/widgets', ' acme/widgets ', 'acme/widgets.git', 'acme/widgets/', '/acme/widgets', 'acme/widgets#7'],
    ...['acme/widgets?tab=readme', 'acme/widgets@main', 'acme/widgets/tree/main', 'acme\\widgets', '%61cme/widgets'],
    // Addresses
    ...['https://codehost.example/acme/widgets', 'https://codehost.example/acme/widgets.git'],
    ...['https://codehost.example/acme/widgets/issues/7', PR_URL, 'HTTPS://CODEHOST.EXAMPLE/acme/widgets'],
    ...['https://codehost.example./acme/widgets', 'https://codehost.example//acme//widgets'],
    ...['https://codehost.example/./acme/x/../widgets', 'https://codehost.example/%61cme/widgets%2Egit'],
    ...['https://user:word@codehost.example:8443/acme/widgets', 'https://a%40b@codehost.example/acme/widgets'],
    ...['https://a@b@codehost.example/acme/widgets', 'http://127.0.0.1:8080/acme/widgets'],
    ...['http://[::1]:8080/acme/widgets', 'https:/codehost.example/acme/widgets', 'https:codehost.example/acme/widgets'],
    ...['https:\\\\codehost.example\\acme\\widgets', 'view-source:https://codehost.example/acme/widgets'],
    ...['git+https://codehost.example/acme/widgets.git@v1', '//codehost.example/acme/widgets'],
    // Addresses without a scheme
    ...['codehost.example/acme/widgets', 'git.codehost.example:8443/acme/widgets/tree/main'],
    ...['xn--a-0.xn--p1ai/acme/widgets', 'localhost/acme/widgets', 'localhost:3000/acme/widgets'],
    ...['10.0.0.1/acme/widgets', '10.0.0.1:3000/acme/widgets', '[::1]/acme/widgets', '[::1]:3000/acme/widgets'],
    // Addresses for git
    ...['git@codehost.example:acme/widgets.git', 'git@codehost.example:/acme/widgets.git'],
    ...['git@codehost.example:22/acme/widgets.git', 'git@codehost.example/acme/widgets'],
    ...['codehost.example:acme/widgets', 'codehost:acme/widgets', 'ssh://git@codehost.example/acme/widgets.git'],
    ...['ssh://git@codehost.example:22/acme/widgets.git', 'ssh://git@codehost.example:acme/widgets.git'],
    ...['ssh://[::1]:acme/widgets.git'],
    // Addresses of an API
    ...['https://api.codehost.example/repos/acme/widgets/issues/7'],
    ...['https://codehost.example/api/v3/repos/acme/widgets', 'https://codehost.example/api/v1//repos/acme/widgets'],
    ...['https://codehost.example/API/v10/repos/acme/widgets'],
    ...['https://codehost.example/api/v4/projects/acme%2Fwidgets', 'api.codehost.example/repos/acme/widgets'],
    ...['//codehost.example/api/v1/repos/acme/widgets'],
  ])('in %j', (text) => {
    expect(parseRepository(text)).toBe('acme/widgets')
  })

  test.each([
    ['Acme/Widgets', 'Acme/Widgets'],
    ['acme.io/widgets', 'acme.io/widgets'],
    ['acme.io/widgets/', 'acme.io/widgets'],
    ['acme.io/widgets#a/b', 'acme.io/widgets'],
    ['acme.io/widgets?a/b', 'acme.io/widgets'],
    ['acme.2/widgets/issues/7', 'acme.2/widgets'],
    ['1.0.0.1.2/widgets/issues/7', '1.0.0.1.2/widgets'],
    ['localhost/widgets', 'localhost/widgets'],
    ['localhosts/widgets/issues/7', 'localhosts/widgets'],
    ['https/widgets', 'https/widgets'],
    ['api/v3', 'api/v3'],
    ['repos/acme', 'repos/acme'],
    ['projects/acme/widgets', 'projects/acme'],
    ['https://codehost.example/repos/acme', 'repos/acme'],
    ['https://codehost.example/repos.acme/widgets', 'repos.acme/widgets'],
    ['https://codehost.example/projects/acme/widgets', 'projects/acme'],
    ['https://codehost.example/a/repos/acme/widgets', 'a/repos'],
    ['https://codehost.example/acme.io/widgets/x', 'acme.io/widgets'],
    ['a/codehost.example/acme/widgets', 'a/codehost.example'],
    ['acme/widgets.gitignore', 'acme/widgets.gitignore'],
    ['acme/.github', 'acme/.github'],
    ['acme/wid%2561gets', 'acme/wid'],
    ['git@codehost.example:1024/widgets', '1024/widgets'],
  ])('in %j as %s', (text, repo) => {
    expect(parseRepository(text)).toBe(repo)
  })

  test.each([
    ...['', 'widgets', 'acme/', '/', '.git', 'acme/.git', 'acme/..', 'acme/ widgets', 'ac me/widgets', '@acme/widgets', '10.0.0.1/widgets'],
    ...['https://codehost.example', 'https://codehost.example/acme', 'codehost.example:acme'],
    ...['https://codehost.example?to=/acme/widgets', 'https://codehost.example#/acme/widgets'],
  ])('in %j not at all', (text) => {
    expect(parseRepository(text)).toBeNull()
  })

  test('in no value but a text', () => {
    expect([7, null, undefined, ['acme/widgets'], { repo: 'acme/widgets' }].map(parseRepository)).toEqual(Array(5).fill(null))
  })

  test('in every name as it stands, and in no text as anything but a name', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/)
    fc.assert(
      fc.property(part, part, (owner, name) => {
        fc.pre(isRepoName(`${owner}/${name}`) && !/^[0-9]+(\.[0-9]+){3}$/.test(owner))
        expect(parseRepository(`${owner}/${name}`)).toBe(`${owner}/${name}`)
      }),
    )
    const letters = fc.constantFrom(...'ab1.-_/\\:@?#%[] \n', '://', '%2e', '%2f', 'repos/', 'api/v3/', '.git', '\u200b')
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'binary' })), (text) => {
        const repo = parseRepository(text)
        expect(repo === null || isRepoName(repo)).toBe(true)
      }),
    )
  })
})
