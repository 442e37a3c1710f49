import type { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { badgePicture } from '../../../api/reputation/badge-picture.ts'
import { createPngs } from '../../../api/reputation/picture-png.ts'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import { badgeFacts } from '../../domain/builders/badge.ts'
import { decodePng, differences, type Pixels } from '../../support/pictures/png.ts'
import { HOSTILE_TITLES } from '../../support/texts/hostile-texts.ts'

type Changes = Parameters<typeof badgeFacts>[0]

const svgOf = (changes: Changes = {}): string => badgePicture(buildBadge(badgeFacts(changes)))
const free = async (): Promise<void> => undefined
const drawn = async (svg: string): Promise<Pixels> => decodePng(await createPngs()(svg, free))

/** Threads that a step starts, and the most of them at one time. */
const countThreads = async (step: () => Promise<unknown>): Promise<{ started: number; most: number }> => {
  const counted = { started: 0, most: 0 }
  let running = 0
  const onWorker = (worker: Worker): void => {
    counted.started += 1
    running += 1
    counted.most = Math.max(counted.most, running)
    worker.once('exit', () => {
      running -= 1
    })
  }
  process.on('worker', onWorker)
  try {
    await step()
  } finally {
    process.off('worker', onWorker)
  }
  return counted
}

describe('the PNG of a badge', () => {
  /** The same card without its title. */
  let blank: Pixels
  beforeAll(async () => {
    blank = await drawn(svgOf({ jobTitle: ' ' }))
  })

  /** Where a title changes the card. */
  const changedBy = async (jobTitle: string): Promise<[number, number][]> => differences(blank, await drawn(svgOf({ jobTitle })))

  test('is of the size that links show, with the texts of the SVG', async () => {
    const whole = await drawn(svgOf())
    expect([whole.width, whole.height]).toEqual([1200, 630])
    const empty = await drawn(svgOf().replaceAll(/<text .*?<\/text>/gs, ''))
    const rows = differences(empty, whole).map(([, y]) => y)
    for (const [text, top, bottom] of [
      ['service and outcome', 80, 124],
      ['title', 160, 220],
      ['facts', 320, 385],
      ['who decided', 405, 470],
      ['session', 490, 560],
    ] as const)
      expect([text, rows.filter((y) => y >= top && y < bottom).length > 500]).toEqual([text, true])
  })

  test('changes with each text', async () => {
    const plain = await createPngs()(svgOf(), free)
    for (const [text, other] of [
      ['Retry policy', 'Retry police'],
      ['2 USDC', '3 USDC'],
      ['1 Mar 2026', '2 Mar 2026'],
    ] as const) {
      expect(svgOf()).toContain(text)
      expect(plain.equals(await createPngs()(svgOf().replace(`>${text}`, `>${other}`), free))).toBe(false)
    }
  })

  const LONG = ['m', '%', '漢', '👩‍👩‍👧', '8', 'Wide Words '].map((unit) => unit.repeat(240).slice(0, 240))
  const SCRIPTS = ['漢字の仕事', 'مرحبا بالعالم', 'שלום', 'Ünïcödé ✓', '👩‍👩‍👧 🏳️‍🌈', 'e\u0301\u0327\u0302', 'नमस्ते']

  test.each([...HOSTILE_TITLES, ...LONG, ...SCRIPTS])('shows the title %j between the margins of its two lines', async (jobTitle) => {
    const places = await changedBy(jobTitle)
    expect(places.length).toBeGreaterThan(100)
    expect(places.filter(([x, y]) => x < 80 || x > 1_130 || y < 140 || y > 300)).toEqual([])
  })

  test('shows a box in place of a character that its font lacks', async () => {
    const [one, other] = [await drawn(svgOf({ jobTitle: '漢' })), await drawn(svgOf({ jobTitle: '字' }))]
    expect(differences(one, other)).toEqual([])
  })
})

describe('drawing', () => {
  test('leaves the thread of requests free', async () => {
    let turns = 0
    const turn = (): void => {
      turns += 1
      if (!isDrawn) setImmediate(turn)
    }
    let isDrawn = false
    setImmediate(turn)
    await drawn(svgOf())
    isDrawn = true
    expect(turns).toBeGreaterThan(10)
  })

  test('is done one at a time, and each thread ends with its picture', async () => {
    const pngOf = createPngs()
    const titles = ['One', 'Two', 'Three', 'Four']
    const counted = await countThreads(() => Promise.all(titles.map((jobTitle) => pngOf(svgOf({ jobTitle }), free))))
    expect(counted).toEqual({ started: 4, most: 1 })
  })

  test('is done once for requests of one picture, together and later', async () => {
    const pngOf = createPngs()
    const counted = await countThreads(async () => {
      const together = await Promise.all([1, 2, 3].map(() => pngOf(svgOf(), free)))
      expect(new Set([...together, await pngOf(svgOf(), free)]).size).toBe(1)
    })
    expect(counted.started).toBe(1)
  })

  test('is counted, but not for a kept picture, and a refusal draws nothing', async () => {
    const pngOf = createPngs()
    let built = 0
    const count = async (): Promise<void> => {
      built += 1
      if (built > 1) throw new Error('refused')
    }
    const counted = await countThreads(async () => {
      await pngOf(svgOf(), count)
      await pngOf(svgOf(), count)
      await expect(pngOf(svgOf({ jobTitle: 'Another' }), count)).rejects.toThrow('refused')
    })
    expect([built, counted.started]).toEqual([2, 1])
  })

  test('that fails is an error of its request, and the next one is drawn', async () => {
    const pngOf = createPngs()
    await expect(pngOf('<svg', free)).rejects.toThrow()
    expect((await pngOf(svgOf(), free)).length).toBeGreaterThan(10_000)
  })
})
