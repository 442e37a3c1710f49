import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  claimantBinding,
  disclosureFooter,
  disclosureRequired,
  footerPresent,
  jobDisclosure,
} from '../../../domain/pull-requests/disclosure.ts'
import { builtJob, prBody } from '../builders/job.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const LOWER = WALLET.toLowerCase()
const SESSION = `fix_last_row_1:${WALLET}:2`
const claimant = { wallet: LOWER, sessionId: SESSION }
const bind = (text: string) => claimantBinding(text, claimant)

describe('claimant lines', () => {
  test.each(['Agent identity', 'Claimant wallet', 'Operator wallet', 'Agent wallet', 'Wallet'])('the label %s binds a wallet', (label) => {
    expect(bind(`${label}: ${WALLET}`)).toMatchObject({ status: 'matched', matchedBy: ['wallet'] })
    expect(bind(`${label}: ${WALLET}`).labelledLines).toEqual([{ type: 'wallet', label, value: LOWER }])
  })

  test.each(['Claim session', 'Session'])('the label %s binds a session', (label) => {
    const labelledLines = [{ label, value: SESSION }]
    expect(bind(`${label}: ${SESSION}`)).toMatchObject({ status: 'matched', matchedBy: ['session'], labelledLines })
  })

  test.each([
    ['another case', `AGENT WALLET: ${LOWER}`],
    ['the service name before it', `Agent Work Service Wallet: ${WALLET}`],
    ['bold label', `**Wallet:** ${WALLET}`],
    ['bold label, colon outside', `**Wallet**: ${WALLET}`],
    ['a wallet in code', `Wallet: \`${WALLET}\``],
    ['a session in code', `**Claim session:** \`${SESSION}\``],
    ['a label in code', `\`Wallet:\` ${WALLET}`],
    ['a label of two words in code', `- **\`Agent identity\`**: \`${WALLET}\``],
    ['label and value in code of their own', `\`Claim session:\` \`${SESSION}\``],
    ['bold in a list', `- **Agent identity:** **${WALLET}**`],
    ['quotes', `Wallet: "${WALLET}"`],
    ['emphasis', `_Wallet_: ${WALLET}`],
    ['white space as separator', `Wallet  ${WALLET}`],
    ['mid-prose', `This was done by an agent (wallet ${WALLET}), reviewed by a person.`],
    ['parentheses', `Agent wallet (${WALLET})`],
    ['a quoted line', `> Wallet: ${WALLET}.`],
    ['session with a full stop after it', `Claim session: ${SESSION}.`],
    ['session in parentheses', `(Session: ${SESSION})`],
    ['a value on the next line', `Agent identity:\n${WALLET}`],
    ['a value on the next line, Windows', `Agent identity:\r\n${WALLET}`],
    ['a heading above it', `## Wallet\n\n${WALLET}`],
    ['a bold label above it', `**Wallet:**\n\n${WALLET}`],
    ['a no-break space', `Wallet:\u00a0${WALLET}`],
    ['windows line ends', `Wallet: ${WALLET}\r\nthanks`],
  ])('binds with %s', (_name, text) => {
    expect(bind(text).status).toBe('matched')
  })

  test.each([
    ['an address alone', WALLET],
    ['an address in prose', `Thanks to ${WALLET} for the hint.`],
    ['a label of something else', `Contract: ${WALLET}`],
    ['a label inside another word', `Mywallet: ${WALLET}`],
    ['a label joined by a hyphen', `e-wallet: ${WALLET}`],
    ['a label with a paragraph between', `Wallet:\n\nof the agent\n\n${WALLET}`],
    ['a comment', `<!-- Wallet: ${WALLET} -->`],
    ['a comment in a line', `Thanks! <!-- Claim session: ${SESSION} -->`],
    ['a comment of many lines', `<!--\nWallet: ${WALLET}\n\nClaim session: ${SESSION}\n-->`],
    ['an attribute of a tag', `<span title="Wallet: ${WALLET}">thanks</span>`],
    ['a code block', `\`\`\`\nWallet: ${WALLET}\n\`\`\``],
    ['an indented code block', `Text.\n\n    Wallet: ${WALLET}`],
    ['a labelled line in code', `Thanks. \`Wallet: ${WALLET}\``],
    ['a labelled line in code without a space', `\`Wallet:${WALLET}\``],
    ['a labelled session in code without a space', `Thanks. \`Session:${SESSION}\``],
    ['a labelled line in code with quotes', `\`Wallet:"${WALLET}"\``],
    ['a labelled line in code that is written as HTML', `<code>Wallet: ${WALLET}</code>`],
    ['a label and a value that code separates', `Wallet: \`of the agent\` ${WALLET}`],
    ['the alternative text of an image', `![Wallet: ${WALLET}](https://codehost.example/a.png)`],
    ['the title of a link', `[thanks](https://codehost.example/a "Wallet: ${WALLET}")`],
    ['a definition that no link uses', `[a]: https://codehost.example/a "Wallet: ${WALLET}"`],
    ['words between', `Wallet of the agent is ${WALLET}`],
    ['the word session in prose', 'The session expired: retry.'],
  ])('%s binds no claimant', (_name, text) => {
    expect(bind(text)).toMatchObject({ status: 'missing', labelledLines: [] })
  })

  test('a labelled line of another claimant is a mismatch, until one own line stands beside it', () => {
    const other = `Wallet: 0x${'12'.repeat(20)}`
    expect(bind(other).status).toBe('mismatched')
    expect(bind(`${other}\nClaim session: ${SESSION}`)).toMatchObject({ status: 'matched', matchedBy: ['session'] })
  })

  test.each([
    ...[`Wallet: ${WALLET}00`, `Wallet: ${WALLET.slice(0, -1)}`],
    ...[`Session: ${SESSION.replaceAll('_', '-')}`, `Session: fix_last_row_1:${WALLET}`],
  ])('an address or session that is not the whole of the own one is another: %s', (text) => {
    expect(bind(text).status).toBe('mismatched')
  })

  test('lines stand in the order of the text, whichever they name', () => {
    const typesOf = (...lines: string[]) => bind(lines.join('\n')).labelledLines.map(({ type }) => type)
    const [wallet, session] = [`Wallet: ${WALLET}`, `Session: ${SESSION}`]
    expect(typesOf(session, wallet)).toEqual(['session', 'wallet'])
    expect(typesOf(wallet, session, wallet)).toEqual(['wallet', 'session', 'wallet'])
  })

  test('a label is shown with single spaces, a session without the marks after it', () => {
    const line = { type: 'session', label: 'Claim session', value: SESSION }
    expect(bind(`**Claim   session:** **${SESSION}**).`).labelledLines).toEqual([line])
  })

  test.each([
    ['a link', `**Claim session:** [${SESSION}](https://service.example/session?id=${SESSION})`],
    ['a tag', `<sub>Claim session: ${SESSION}</sub>`],
    ['the end of a line in HTML', `Claim session: ${SESSION}<br>more`],
    ['an ellipsis', `Claim session: ${SESSION}…`],
    ['a table', `| Session: ${SESSION}|x|`],
    ['emphasis', `_Session: ${SESSION}_`],
    ['a colon', `Session: ${SESSION}: done`],
  ])('a session binds in %s', (_name, text) => {
    expect(bind(text)).toMatchObject({ status: 'matched', matchedBy: ['session'] })
  })

  test.each([`${SESSION}0`, `${SESSION}-x`, `${SESSION}_x`, `${SESSION}:2`, `${SESSION}:x`, `x${SESSION}`])(
    'a session that is longer binds no claimant: %s',
    (value) => {
      expect(bind(`Session: ${value}`).status).not.toBe('matched')
    },
  )

  test('an unreadable text and an unknown claimant differ from a missing line', () => {
    const nothing = { canonicalHeader: false, labelledLines: [], matchedBy: [] }
    expect(claimantBinding(null, claimant)).toEqual({ status: 'unavailable', ...nothing })
    expect(claimantBinding('nothing', claimant)).toEqual({ status: 'missing', ...nothing })
    expect(claimantBinding('nothing', null)).toEqual({ status: 'missing', ...nothing })
    expect(claimantBinding(`Wallet: ${WALLET}`, null)).toEqual({
      ...nothing,
      status: 'claimant_context_missing',
      labelledLines: [{ type: 'wallet', label: 'Wallet', value: LOWER }],
    })
  })

  test('no text makes the search fail', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(bind(text).status).toBe('missing')))
  })
})

describe('the footer', () => {
  const definitionUrl = 'https://work.example/jobs/definition?jobId=job-1'
  const filled = disclosureFooter({ wallet: LOWER, sessionId: SESSION, definitionUrl, submissionHash: '0xabc' })

  test('names claimant, session, terms and submission, and binds by itself', () => {
    const lines = [`Agent identity: ${LOWER}`, `Claim session: ${SESSION}`, `Job spec: ${definitionUrl}`, 'Submission: 0xabc']
    const [about, review, pay] = ['autonomous agent', 'review', 'no direct compensation from this repository'].map((part) =>
      expect.stringContaining(part),
    )
    expect(filled.split('\n')).toEqual([about, '', ...lines, '', review, pay])
    expect(bind(filled)).toMatchObject({ status: 'matched', canonicalHeader: true, matchedBy: ['wallet', 'session'] })
  })

  test('leaves out the session where none is known, and shows blanks in the template', () => {
    const linesOf = (footer: string) => footer.split('\n').filter((line) => line.includes(': '))
    const [wallet, submission] = ['Agent identity: <wallet>', 'Submission: <submission-hash>']
    expect(linesOf(disclosureFooter({ sessionId: null, definitionUrl: 'u' }))).toEqual([wallet, 'Job spec: u', submission])
    const template = disclosureFooter({ definitionUrl: 'u' })
    expect(linesOf(template)).toEqual([wallet, 'Claim session: <session-id>', 'Job spec: u', submission])
    expect(bind(template).labelledLines).toEqual([])
  })

  test('is present by its header, or by a labelled line with the service name', () => {
    expect(footerPresent(filled)).toBe(true)
    expect(footerPresent(`Done via agent work service. Wallet: ${WALLET}`)).toBe(true)
    expect(footerPresent(`Wallet: ${WALLET}`)).toBe(false)
    expect(footerPresent('Done via Agent Work Service.')).toBe(false)
  })

  test.each([
    ['a code block', (footer: string) => `\`\`\`\n${footer}\n\`\`\``],
    ['a comment', (footer: string) => `<!--\n${footer}\n-->`],
    ['code spans', (footer: string) => footer.replaceAll(/^(.+)$/gm, '`$1`')],
  ])('that only %s holds discloses nothing and binds no claimant', (_where, hide) => {
    const hidden = hide(filled)
    expect([footerPresent(hidden), bind(hidden).status, bind(hidden).canonicalHeader]).toEqual([false, 'missing', false])
  })
})

describe('disclosure terms of a job', () => {
  const withPolicy = (disclosureRequired: boolean) => {
    const source = { type: 'codehost_issue', repo: 'a/b', issueNumber: 7, maintainerPolicy: { disclosureRequired } }
    return builtJob(prBody({ source })).definition
  }

  test('a pull request must disclose unless its maintainer decided otherwise', () => {
    expect(disclosureRequired(builtJob(prBody()).definition)).toBe(true)
    expect(disclosureRequired(withPolicy(true))).toBe(true)
    expect(disclosureRequired(withPolicy(false))).toBe(false)
    expect(disclosureRequired(builtJob().definition)).toBe(false)
  })

  test('name the accepted labels', () => {
    const disclosure = jobDisclosure(builtJob(prBody()).definition, 'u')
    expect(disclosure?.rule).toContain('An unlabelled address in prose does not bind.')
    expect(disclosure?.rule).toContain('a whole line in code or a comment does not bind.')
    expect(disclosure?.acceptedClaimantLines).toEqual({
      wallet: ['Agent identity', 'Claimant wallet', 'Operator wallet', 'Agent wallet', 'Wallet'],
      session: ['Claim session', 'Session'],
    })
    expect(jobDisclosure(builtJob().definition, 'u')).toBeUndefined()
  })
})
