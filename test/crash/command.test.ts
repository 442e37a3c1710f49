import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { ROOT } from '../house/tree.ts'
import { POINTS } from './points.ts'
import { differences } from './print.ts'
import { randomOf } from './random.ts'

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
    const phases = POINTS.filter(({ name }) => name.startsWith(`${what}/`)).map(({ name }) => name.split('/')[1])
    expect([...new Set(phases)].sort()).toEqual(what === 'api' ? ['claim', 'submit'] : ['claim', 'settle', 'submit'])
  })
})

describe('the comparison with an uninterrupted run', () => {
  const print = { moves: [['claimed', 'submitted']], badges: 1 }

  test('is silent about what is the same, in any order', () => {
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
