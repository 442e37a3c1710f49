import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { badgePicture } from '../../../api/reputation/badge-picture.ts'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import { badgeFacts, WORKER } from '../../domain/builders/badge.ts'
import { HOSTILE, tagsOf } from '../../support/texts/hostile-texts.ts'

const pictureOf = (changes: Parameters<typeof badgeFacts>[0] = {}): string => badgePicture(buildBadge(badgeFacts(changes)))
/** Texts of a picture, as a reader sees them. */
const textsOf = (picture: string): string[] =>
  [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) =>
    (text ?? '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  )

const PLAIN = tagsOf(pictureOf())
/** What XML 1.0 refuses, and what changes the direction of the text around it. */
const FORBIDDEN = /[^\n\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|[\u202A-\u202E\u2066-\u2069]/u

describe('the picture of a badge', () => {
  test('says what was done, what was paid, who decided, when, and by which wallet', () => {
    expect(textsOf(pictureOf())).toEqual([
      'Agent Work Service',
      'Approved and paid',
      'Retry policy for a client',
      '',
      ...['Paid', '2 USDC', 'Decided', '1 Mar 2026', 'Done by', '0x7099…79c8'],
      ...['Decided by', 'The verifier of the job', 'Session', 'job-1:0x7099…79C8'],
    ])
    expect(WORKER).toMatch(/^0x7099.*79c8$/)
  })

  test('says that a part was paid where a dispute divided the reward or no decision came', () => {
    const resolution = { kind: 'timeout', verdict: 'timeout', workerShareBps: 5_000 } as const
    expect(textsOf(pictureOf({ resolution }))[1]).toBe('Paid 50 %')
  })

  test('is of the size that links show, with attributes in place of a style', () => {
    expect(pictureOf()).toMatch(/^<svg [^>]*width="1200" height="630"/)
    expect(pictureOf()).not.toMatch(/<style|style=|<script|\son\w+=|href|url\(/)
  })

  test.each(HOSTILE)('keeps the title %j a text', (jobTitle) => {
    const picture = pictureOf({ jobTitle })
    expect(tagsOf(picture)).toEqual(PLAIN)
    expect(picture).not.toMatch(FORBIDDEN)
  })

  test.each([
    ['a "quoted": title', 'a "quoted": title'],
    ['two\n lines\tof it', 'two lines of it'],
  ])('shows the whole title %j', (jobTitle, shown) => {
    expect(textsOf(pictureOf({ jobTitle }))).toContain(shown)
  })

  test('breaks a long title between words, and ends a longer one with three dots', () => {
    const [, , first = '', second = ''] = textsOf(pictureOf({ jobTitle: 'Twelve words '.repeat(18) }))
    expect(first).toMatch(/^(Twelve words ?)+(Twelve)?$/)
    expect(second).toMatch(/^(Twelve|words) .*…$/)
  })

  test('is well formed and bounded for every text there can be', () => {
    const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 240 })
    fc.assert(
      fc.property(any, fc.string({ maxLength: 100 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (jobTitle, jobId, rewardRaw) => {
        const picture = pictureOf({ jobTitle, category: jobTitle.slice(0, 80), sessionId: `${jobId}:${WORKER}`, rewardRaw })
        expect(tagsOf(picture)).toEqual(PLAIN)
        expect(picture).not.toMatch(FORBIDDEN)
        expect(picture).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/)
        for (const text of textsOf(picture)) expect([...text].length).toBeLessThan(400)
      }),
    )
  })
})
