import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const accounts = subject({
  name: 'accounts',
  buildsOn: ['settlement'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
