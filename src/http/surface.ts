/**
 * Which routes a process has, and who may call them. The console is that of `portal console`: the
 * admin API for one operator, and nothing else.
 */
export type Surface = 'production' | 'development' | 'console'
