import { describe, expect, test } from '@jest/globals'
import { offeredPullRequest, parsePullRequestUrl } from '../../../domain/pull-requests/address.ts'
import { expectedWork, namesIssue, pageNamesIssue } from '../../../domain/pull-requests/expected.ts'
import type { JsonValue } from '../../../schemas/catalogue/job-definition.ts'
import { PR_URL } from '../builders/pull-request.ts'

describe('the address of a pull request', () => {
  test.each([
    ...[PR_URL, `${PR_URL}/`, `${PR_URL}/files`, `${PR_URL}/changes`, `${PR_URL}/commits/0a1b2c3`, ` ${PR_URL}\n`],
    ...[`${PR_URL}/files/0a1b2c3..4d5e6f7#diff-1`, `${PR_URL}/checks?check_run_id=1`, `${PR_URL}?diff=split#top`],
    ...['https://CodeHost.example/acme/widgets/pull/12', 'http://codehost.example/acme/widgets/pull/12'],
    ...['https://www.codehost.example/acme/widgets/pull/12', `<${PR_URL}>`, `[PR](${PR_URL})`, `[PR](<${PR_URL}/files>).`],
    ...[`${PR_URL}.`, `[PR](${PR_URL} "Keep the last row")`, `(${PR_URL}).`, `"${PR_URL}."`, `\`${PR_URL}\``],
    ...[`**${PR_URL}**`, `_${PR_URL}_.`, `**[PR](${PR_URL})**`],
  ])('%s is one', (text) => {
    expect(parsePullRequestUrl(text)).toEqual({ host: 'codehost.example', owner: 'acme', repo: 'widgets', number: 12, url: PR_URL })
  })

  test.each([
    ...['codehost.example/acme/widgets/pull/12', 'https://codehost.example/acme/widgets/pulls/12', `PR: ${PR_URL}`],
    ...[`${PR_URL} ${PR_URL}`, `[PR](${PR_URL}`, `![PR](${PR_URL})`, `<${PR_URL}`, `"${PR_URL}'`, `**${PR_URL}*`],
    ...['https://codehost.example/acme/widgets/issues/12', 'https://codehost.example/acme/widgets/pull/0'],
    ...['https://codehost.example/acme/widgets/pull/12x', 'https://codehost.example/acme/../pull/12'],
    ...['https://codehost.example/acme/widgets/pull/12/../13', 'https://codehost.example/acme/widgets/pull/12/%2e%2e/13'],
    ...['https://codehost.example/acme/widgets/pull/12/files and more', 'https://codehost.example/./widgets/pull/12'],
    ...['https://user@codehost.example/acme/widgets/pull/12', 'https://codehost.example/acme/widgets/extra/pull/12'],
    ...['acme/widgets#12', ''],
  ])('%s is none', (text) => {
    expect(parsePullRequestUrl(text)).toBeNull()
  })

  test('comes from prUrl, then pullRequestUrl, then the first one in the text', () => {
    const second = 'https://codehost.example/acme/widgets/pull/13'
    const numberOf = (submission: unknown) => offeredPullRequest(submission).ref?.number
    expect([numberOf({ prUrl: PR_URL, pullRequestUrl: second }), numberOf(`It is ${PR_URL}.`)]).toEqual([12, 12])
    const others = [
      { notes: PR_URL, pullRequestUrl: second },
      { notes: PR_URL, prUrl: ' ', pullRequestUrl: second },
    ]
    expect([...others, { notes: `See ${second}, not ${PR_URL}.` }].map(numberOf)).toEqual([13, 13, 13])
    for (const none of [{ notes: 'nothing' }, { prUrl: 12 }, null, undefined])
      expect(offeredPullRequest(none)).toEqual({ address: null, ref: null })
  })

  test('that is wrong in prUrl is not looked for elsewhere', () => {
    expect(offeredPullRequest({ prUrl: 'widgets 12', notes: PR_URL })).toEqual({ address: 'widgets 12', ref: null })
  })
})

describe('the issue a text names', () => {
  const expected = { repo: 'acme/widgets', issueNumber: 7, host: null }
  const named = [
    ...['Fixes #7', '(#7)', 'closes Acme/Widgets#7.', 'see https://codehost.example/acme/widgets/issues/7', 'gh-7: keep it'],
    ...['(GH-7)'],
  ]
  const unnamed = ['#70', 'other/widgets#7', 'acme/widgets2#7', 'issue 7', '/acme/widgets/issues/71', '&#7;']
  const noReference = [
    ...['#7f7f7f', 'big-acme/widgets#7', '/acme/widgets/issues/7a', 'GH-70', 'foo_GH-7', 'XGH-7', 'GH-7a', 'x-GH-7', 'GH 7'],
    ...['GH7'],
  ]
  test.each(named)('%s', (text) => {
    expect(namesIssue(text, expected)).toBe(true)
    expect(pageNamesIssue({ title: text, body: null }, expected)).toBe(true)
    expect(pageNamesIssue({ title: 'Change', body: `Text.\n\n${text}` }, expected)).toBe(true)
  })
  test.each([...unnamed, ...noReference])('%s is not it', (text) => {
    expect(namesIssue(text, expected)).toBe(false)
  })

  test.each([
    ['https://codehost.example/acme/widgets/issues/7', true],
    ['http://www.codehost.example/acme/widgets/issues/7#top', true],
    ['[the report](https://CodeHost.example/Acme/Widgets/issues/7)', true],
    ['https://elsewhere.example/acme/widgets/issues/7', false],
    ['[the report](https://elsewhere.example/acme/widgets/issues/7)', false],
    ['https://codehost.example.elsewhere.example/acme/widgets/issues/7', false],
    ['https://codehost.example/mirror/acme/widgets/issues/7', false],
    ['/acme/widgets/issues/7', false],
  ])('%s is the address of the issue on the host of the job: %s', (text, isNamed) => {
    const onHost = { ...expected, host: 'codehost.example' }
    expect([namesIssue(text, onHost), pageNamesIssue({ title: 'Change', body: text }, onHost)]).toEqual([isNamed, isNamed])
  })
  test.each([
    ['a link', '[the report](https://codehost.example/acme/widgets/issues/7)'],
    ['a link by reference', '[the report][1]\n\n[1]: https://codehost.example/acme/widgets/issues/7'],
    ['emphasis', 'Fixes **#7**.'],
    ['a list', '- [x] fixes #7'],
    ['words beside code', 'Run <code>npm test</code>, then `x`. Fixes #7.'],
    ['words after code that no tag opens', 'Text</code> fixes #7'],
    ['a quotation', '> fixes #7'],
    ['a table', '| fixes |\n|---|\n| #7 |'],
    ['an opened detail', '<details>\n\nFixes #7\n\n</details>'],
  ])('may stand in %s of a page', (_where, body) => {
    expect(pageNamesIssue({ title: 'Change', body }, expected)).toBe(true)
  })
  test.each([
    ['a fenced block', '```diff\n- color: #7\n```'],
    ['a fence of tildes', '~~~\n#7\n~~~'],
    ['a fence that is never closed', '```\nFixes #7'],
    ['an indented block', 'Text.\n\n    Fixes #7'],
    ['a code span', 'Fixes `#7`.'],
    ['a code span of many backticks', 'Fixes ``` #7 ```.'],
    ['code written as HTML', 'Fixes <code>#7</code>.'],
    ['preformatted HTML', 'Text <pre lang="x">#7</pre>'],
    ['a code block in a list', '- ```\n  #7\n  ```'],
    ['a code block in a quotation', '> ```\n> #7\n> ```'],
    ['words that only code joins', 'x`y`GH`-7`'],
    ['a definition that holds a remark', '[//]: # (Fixes #7)'],
    ['a comment', '<!-- Fixes #7 -->'],
    ['a comment that is never closed', 'Text.\n\n<!-- Fixes #7'],
    ['an attribute', '<a title="Fixes #7">text</a>'],
    ['the alternative text of an image', '![#7](https://codehost.example/a.png)'],
    ['a definition that no link uses', 'Text.\n\n[1]: https://codehost.example/acme/widgets/issues/7'],
    ['the fragment of a link', '[colour](#7)'],
    ['nothing', ''],
  ])('is not read from %s of a page', (_where, body) => {
    expect(pageNamesIssue({ title: 'Change', body }, expected)).toBe(false)
  })
  test.each(['Fixes `#7`', 'Keep `acme/widgets#7` as it is', '``GH-7``'])('is not read from code in a title: %s', (title) => {
    expect(pageNamesIssue({ title, body: null }, expected)).toBe(false)
  })
  test.each(['<parser> fixes #7', '[#7] *keep* it', '    #7', '`#8` and #7', '`unclosed #7'])('may stand in the title %s', (title) => {
    expect(pageNamesIssue({ title, body: null }, expected)).toBe(true)
  })
  test('may be any where the job names no number', () => {
    expect(namesIssue('Fixes #3', { ...expected, issueNumber: null })).toBe(true)
    expect(namesIssue('Fixes nothing', { ...expected, issueNumber: null })).toBe(false)
  })

  test('may be of any repository where the job names none, and a dot in a name is only a dot', () => {
    expect(namesIssue('closes acme/gadgets#7', { ...expected, repo: null })).toBe(true)
    expect(namesIssue('closes acme/widgets.js#7', { ...expected, repo: 'acme/widgets.js' })).toBe(true)
    expect(namesIssue('closes acme/widgetsxjs#7', { ...expected, repo: 'acme/widgets.js' })).toBe(false)
  })

  test('of an external job stands in what it declares, under what the source says itself', () => {
    const declared = { repo: 'acme/tools', issueNumber: 3 }
    expect(expectedWork({ type: 'external', declared })).toEqual({ repo: 'acme/tools', issueNumber: 3, host: null })
    expect(expectedWork({ type: 'external', repo: 'acme/widgets', declared })).toMatchObject({ repo: 'acme/widgets', issueNumber: 3 })
  })

  test.each<[string, Record<string, JsonValue>]>([
    ['a repository without owner', { repo: 'widgets' }],
    ['a repository in a list', { repo: ['acme/widgets'] }],
    ['a fraction', { issueNumber: 7.5 }],
    ['a number in text', { issueNumber: '7' }],
    ['an address without TLS', { issueUrl: 'http://codehost.example/acme/widgets/issues/7' }],
    ['an address in a sentence', { issueUrl: 'see https://codehost.example/acme/widgets/issues/7' }],
    ['an address in a list', { issueUrl: ['https://codehost.example/acme/widgets/issues/7'] }],
    ['an empty declaration', { declared: null }],
  ])('is not taken from %s', (_what, facts) => {
    expect(expectedWork({ type: 'external', ...facts })).toEqual({ repo: null, issueNumber: null, host: null })
  })

  test.each([
    ['the issue', { issueUrl: 'https://CodeHost.example:8443/acme/widgets/issues/7', repoUrl: 'https://elsewhere.example/acme/widgets' }],
    ['the repository', { repoUrl: 'https://codehost.example:8443/acme/widgets' }],
  ])('is on the host of the address of %s, port and all', (_what, addresses) => {
    expect(expectedWork({ type: 'codehost_issue', ...addresses }).host).toBe('codehost.example:8443')
  })
})
