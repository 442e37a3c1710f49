import { describe, expect, test } from '@jest/globals'
import { decidePolicy } from '../../../domain/pull-requests/policy/verdict.ts'
import { MORE_PERMITTING, MORE_REFUSING, MORE_UNRELATED, PERMITTING, REFUSING, UNRELATED } from './policy-texts.ts'

const verdictOf = (path: string, text: string) => decidePolicy('acme/widgets', [{ path, text }], []).verdict

describe('the policy of a repository whose maintainers', () => {
  test.each([...REFUSING, ...MORE_REFUSING])('refuse agents in %s denies them: %s', (path, text) => {
    expect(verdictOf(path, text)).toBe('denies')
  })
  test.each([...PERMITTING, ...MORE_PERMITTING])('permit agents in %s does not deny them: %s', (path, text) => {
    expect(verdictOf(path, text)).not.toBe('denies')
  })
  test.each([...UNRELATED, ...MORE_UNRELATED])('name agents for another reason in %s allows them: %s', (path, text) => {
    expect(verdictOf(path, text)).toBe('allows')
  })
})

test('a refusal at the end of a sentence of many thousand characters is read', () => {
  const text = `We build a parser ${'and a lexer '.repeat(2_000)} and we do not accept AI-generated pull requests.`
  expect(verdictOf('CONTRIBUTING.md', text)).toBe('denies')
})
