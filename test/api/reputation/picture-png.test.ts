import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { badgePicture } from '../../../api/reputation/badge-picture.ts'
import { createPngs } from '../../../api/reputation/picture-png.ts'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import { badgeFacts } from '../../domain/builders/badge.ts'
import { decodePng, differences, type Pixels } from '../../support/pictures/png.ts'
import { HOSTILE_TITLES } from '../../support/texts/hostile-texts.ts'
import { useApi } from '../support/started.ts'

type Changes = Parameters<typeof badgeFacts>[0]

const svgOf = (changes: Changes = {}): string => badgePicture(buildBadge(badgeFacts(changes)))
const free = { countBuild: async (): Promise<void> => undefined, signal: new AbortController().signal }
const drawn = async (svg: string): Promise<Pixels> => decodePng(await createPngs()(svg, free))

/** Cards below one another in one picture: a process for each takes longer. */
const drawnTogether = async (svgs: readonly string[]): Promise<Pixels[]> => {
  const cards = svgs.map((svg, index) => svg.replace('<svg ', `<svg y="${index * 630}" `))
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="${svgs.length * 630}">${cards.join('')}</svg>`
  const { data } = await drawn(sheet)
  const bytes = 1200 * 630 * 4
  return svgs.map((_svg, index) => ({ width: 1200, height: 630, data: data.subarray(index * bytes, (index + 1) * bytes) }))
}

/** Runs a step with the processes that it starts. */
const withProcesses = async (onProcess: (child: ChildProcess) => void, step: () => Promise<unknown>): Promise<void> => {
  const onMessage = (message: unknown): void => onProcess((message as { process: ChildProcess }).process)
  subscribe('child_process', onMessage)
  try {
    await step()
  } finally {
    unsubscribe('child_process', onMessage)
  }
}

/** Processes that a step starts, and the most of them at one time. */
const countProcesses = async (step: () => Promise<unknown>): Promise<{ started: number; most: number }> => {
  const counted = { started: 0, most: 0 }
  let running = 0
  const onProcess = (child: ChildProcess): void => {
    counted.started += 1
    running += 1
    counted.most = Math.max(counted.most, running)
    child.once('exit', () => {
      running -= 1
    })
  }
  await withProcesses(onProcess, step)
  return counted
}

/** The renderer draws this for hours, in one native call. */
const ENDLESS = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><filter id="f"><feTurbulence baseFrequency="0.1" numOctaves="100000000"/></filter><rect width="600" height="600" filter="url(#f)"/></svg>`
/** The renderer asks for 400 TB and aborts its process. */
const CRASHING = '<svg xmlns="http://www.w3.org/2000/svg" width="10000000" height="10000000"/>'

describe('the PNG of a badge', () => {
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
  const TITLES = [...HOSTILE_TITLES, ...LONG, ...SCRIPTS]

  /** Where each title changes the card. */
  const changed = new Map<string, [number, number][]>()
  beforeAll(async () => {
    for (let at = 0; at < TITLES.length; at += 12) {
      const titles = TITLES.slice(at, at + 12)
      const [blank, ...cards] = await drawnTogether([' ', ...titles].map((jobTitle) => svgOf({ jobTitle })))
      for (const [index, card] of cards.entries()) changed.set(titles[index] ?? '', differences(blank as Pixels, card))
    }
  })

  test.each(TITLES)('shows the title %j between the margins of its two lines', (jobTitle) => {
    const places = changed.get(jobTitle) ?? []
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
    const count = (): void => {
      turns += 1
      if (!isDrawn) setImmediate(count)
    }
    let isDrawn = false
    setImmediate(count)
    await drawn(svgOf())
    isDrawn = true
    expect(turns).toBeGreaterThan(10)
  })

  test('is done one at a time, and each process ends with its picture', async () => {
    const pngOf = createPngs()
    const titles = ['One', 'Two', 'Three']
    const counted = await countProcesses(() => Promise.all(titles.map((jobTitle) => pngOf(svgOf({ jobTitle }), free))))
    expect(counted).toEqual({ started: 3, most: 1 })
  })

  test('is done once for requests of one picture, together and later', async () => {
    const pngOf = createPngs()
    const counted = await countProcesses(async () => {
      const together = await Promise.all([1, 2, 3].map(() => pngOf(svgOf(), free)))
      expect(new Set([...together, await pngOf(svgOf(), free)]).size).toBe(1)
    })
    expect(counted.started).toBe(1)
  })

  test('is counted, but not for a picture that is kept or drawn already, and a refusal draws nothing', async () => {
    const pngOf = createPngs()
    let built = 0
    const countBuild = async (): Promise<void> => {
      built += 1
      if (built > 1) throw new Error('refused')
    }
    const counted = await countProcesses(async () => {
      const first = pngOf(svgOf(), { ...free, countBuild })
      await turn()
      await Promise.all([first, pngOf(svgOf(), { ...free, countBuild })])
      await pngOf(svgOf(), { ...free, countBuild })
      await expect(pngOf(svgOf({ jobTitle: 'Another' }), { ...free, countBuild })).rejects.toThrow('refused')
    })
    expect([built, counted.started]).toEqual([2, 1])
  })

  test('gets no environment of the service', async () => {
    const environments: string[] = []
    const onProcess = (child: ChildProcess): void => {
      child.once('spawn', () => environments.push(readFileSync(`/proc/${child.pid}/environ`, 'utf8')))
    }
    if (!existsSync('/proc/self/environ')) return
    await withProcesses(onProcess, () => drawn(svgOf()))
    expect(environments).toEqual([''])
  })

  test('that does not end is killed at its limit, and the next one is drawn', async () => {
    const pngOf = createPngs({ longestMs: 2_500 })
    const hangs = pngOf(ENDLESS, free)
    const next = pngOf(svgOf(), free)
    await expect(hangs).rejects.toMatchObject({ killed: true, signal: 'SIGKILL' })
    expect((await next).length).toBeGreaterThan(10_000)
  })
})

describe('a picture that waits', () => {
  /** One picture that is drawn without end, and as many as may wait for it. */
  const fill = async () => {
    const pngOf = createPngs()
    const children: ChildProcess[] = []
    const gone = new AbortController()
    const asked: Promise<unknown>[] = []
    await withProcesses(
      (child) => children.push(child),
      async () => {
        for (const svg of [ENDLESS, ...Array.from({ length: 8 }, (_, index) => svgOf({ jobTitle: `Job ${index}` }))])
          asked.push(pngOf(svg, { ...free, signal: gone.signal }))
        await turn()
      },
    )
    /** All callers go, and the drawing is ended. */
    const end = async () => {
      gone.abort()
      for (const child of children) child.kill('SIGKILL')
      return Promise.allSettled(asked)
    }
    return { pngOf, children, end }
  }
  const REFUSED = { code: 'too_many_waits', info: { reason: 'service', retryAfterSeconds: 5 } }

  test('is refused above the bound, except where a request of the same picture waits', async () => {
    const { pngOf, end } = await fill()
    await expect(pngOf(svgOf(), free)).rejects.toMatchObject(REFUSED)
    const shared = pngOf(svgOf({ jobTitle: 'Job 7' }), free)
    const ended = await end()
    expect(ended.map(({ status }) => status).sort()).toEqual([...Array(8).fill('rejected'), 'fulfilled'].sort())
    expect((await shared).length).toBeGreaterThan(10_000)
  })

  test('leaves when its callers have gone', async () => {
    const { pngOf, children, end } = await fill()
    await expect(pngOf(svgOf(), free)).rejects.toMatchObject(REFUSED)
    const { started } = await countProcesses(async () => {
      const ended = await end()
      expect(ended.map(({ status }) => status)).toEqual(Array(9).fill('rejected'))
    })
    expect([children.length, started]).toEqual([1, 0])
    const late = AbortSignal.abort()
    expect((await pngOf(svgOf(), { ...free, signal: late })).length).toBeGreaterThan(10_000)
  })
})

describe('the API', () => {
  const pngOf = createPngs()
  const api = useApi({
    handlers: {
      getBadgeImage: async ({ params, request }: { params: { sessionId: string }; request: typeof free }) => ({
        status: 200,
        body: await pngOf(params.sessionId.startsWith('crash') ? CRASHING : svgOf(), request),
      }),
    },
  })

  test('answers 500 when the drawing crashes, and draws the next one', async () => {
    const image = (job: string) =>
      fetch(`http://127.0.0.1:${api.port}/badges/${job}%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8/picture.png`)
    const refused = await image('crash')
    expect([refused.status, await refused.json()]).toMatchObject([500, { code: 'internal_error' }])
    const answer = await image('other')
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"badge_images";r=28;/)])
    expect(decodePng(Buffer.from(await answer.arrayBuffer())).width).toBe(1200)
  })
})
