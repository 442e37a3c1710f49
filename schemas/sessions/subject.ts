import { subject } from '../subject.ts'

export const sessions = subject({
  name: 'sessions',
  buildsOn: ['catalogue'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
