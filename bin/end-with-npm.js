// On a signal, npm ends only the shell between itself and this process, which would go on without it.
const { ppid } = process
const timer = setInterval(() => {
  if (process.ppid === ppid) return
  clearInterval(timer)
  process.kill(process.pid, 'SIGTERM')
}, 500)
timer.unref()
