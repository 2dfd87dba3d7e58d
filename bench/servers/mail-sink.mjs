import { SMTPServer } from 'smtp-server'

// Takes every mail and forgets it. Prints its port.
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.resume().on('end', done)
  }
})
server.on('error', () => {}) // of a connection
server.listen(0, '127.0.0.1', () => console.log(server.server.address().port))
