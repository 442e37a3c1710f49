import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { draw } from '../../crash/draw.ts'
import { DISPUTE_POINTS } from '../../crash/points/dispute-points.ts'
import { BADGE_POINTS, POINTS } from '../../crash/points/points.ts'
import { differences } from '../../crash/prints/print.ts'
import { randomOf } from '../../crash/random.ts'
import { ROOT } from '../../repository/files.ts'
import { eventually } from '../../support/eventually.ts'
import { openDirectory } from '../../support/state-directory.ts'

const run = (...given: string[]) => spawnSync(process.execPath, ['test/crash/main.ts', ...given], { cwd: ROOT, encoding: 'utf8' })

describe('npm run crash', () => {
  test('lists its points, every one by a name of its own', () => {
    const { stdout, status } = run('--list')
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect([status, names]).toEqual([0, POINTS.map(({ name }) => name)])
    expect(new Set(names).size).toBe(POINTS.length)
  })

  test.each(['worker', 'api', 'temporal', 'postgres', 'chain'])('kills %s in each phase that it has a part in', (what) => {
    const phases = BADGE_POINTS.filter(({ name }) => name.startsWith(`${what}/`)).map(({ name }) => name.split('/')[1])
    expect([...new Set(phases)].sort()).toEqual(what === 'api' ? ['claim', 'submit'] : ['claim', 'settle', 'submit'])
  })

  test.each([
    ['badge', BADGE_POINTS],
    ['disputes', DISPUTE_POINTS],
    ['all', POINTS],
  ])('lists the points of the journey %s', (journey, points) => {
    const { stdout, status } = run('--list', '--journey', journey)
    expect([status, stdout.trim().split('\n').length]).toEqual([0, points.length])
  })

  test('refuses an unknown journey', () => {
    const { status, stderr } = run('--journey', 'elsewhere')
    expect([status, stderr.split('\n')[0]]).toEqual([2, '--journey takes badge or disputes or all, not elsewhere'])
  })

  test('takes the points to a badge; asked to end while its stack starts it leaves no process behind', async () => {
    const directory = openDirectory('crash-end')
    const started = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(directory).length - 1
    const env = { ...process.env, TMPDIR: directory }
    const command = spawn(process.execPath, ['test/crash/main.ts', '--times', '2'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      expect(String(await once(command.stdout, 'data'))).toMatch(`, ${BADGE_POINTS.length} points x 2 times`)
      await eventually('a process of the stack', started)
      command.kill('SIGINT')
      expect(await once(command, 'exit')).toEqual([1, null])
      expect(started()).toBe(0)
    } finally {
      command.kill('SIGKILL')
      rmSync(directory, { recursive: true, force: true })
    }
  })

  test('goes through sixty points and more', () => expect(POINTS.length).toBeGreaterThanOrEqual(60))

  const PHASES =
    'expire reject overturn dispute arbitrate timeout lapse review people refuse unreviewed look observe ' +
    'deny drop miss overdue recall later remind prepare supersede sign appeal forsake release'

  test.each(PHASES.split(' '))('kills the worker before, in and after %s', (phase) => {
    const names = DISPUTE_POINTS.filter(({ name }) => name.startsWith(`worker/${phase}/`)).map(({ name }) => name.split('/')[2])
    expect(names).toEqual(expect.arrayContaining(['recording', 'recorded']))
    expect(names.length).toBeGreaterThanOrEqual(3)
  })
})

describe('the points that the tests draw', () => {
  test('kill each part, are the same for the same seed, and change with it', () => {
    const names = (seed: string) => draw(seed, POINTS).map(({ name }) => name)
    const parts = names('a').map((name) => name.split('/')[0])
    expect(parts.join(' ')).toBe('api worker worker temporal postgres chain worker worker')
    expect(names('a')).toEqual(names('a'))
    expect(new Set(['a', 'b', 'c', 'd'].flatMap(names)).size).toBeGreaterThan(8)
  })
})

describe('the comparison with an uninterrupted run', () => {
  const print = { moves: [['claimed', 'submitted']], badges: 1 }

  test('names no difference between equal prints in another order', () => {
    expect(differences(print, { badges: 1, moves: [['claimed', 'submitted']] })).toEqual([])
  })

  test.each([
    ['is other', { ...print, badges: 2 }],
    ['is missing', { moves: print.moves }],
    ['is too much', { ...print, payouts: 2 }],
  ])('names what %s', (_name, found) => {
    expect(differences(print, found)).toHaveLength(1)
  })
})

describe('the draw of a run', () => {
  test('follows from seed, round and point alone', () => {
    const draw = (...seed: (string | number)[]) => {
      const random = randomOf(...seed)
      return [random(), random()]
    }
    expect(draw('a', 1, 'x')).toEqual(draw('a', 1, 'x'))
    expect(draw('a', 1, 'x')).not.toEqual(draw('a', 2, 'x'))
    for (const number of draw('b', 1, 'x')) expect(number >= 0 && number < 1).toBe(true)
  })
})
