import { subject } from '../subject.ts'

export const crossChain = subject({
  name: 'cross-chain',
  buildsOn: ['strategies'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
