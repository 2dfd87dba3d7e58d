# docker build -t portal .
FROM node:26-trixie-slim AS build
WORKDIR /portal
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:26-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /portal
COPY --from=build /portal/package.json ./
COPY --from=build /portal/node_modules ./node_modules
COPY --from=build /portal/dist ./dist
RUN chmod 755 dist/src/cli.js && ln -s /portal/dist/src/cli.js /usr/local/bin/portal
USER node
EXPOSE 3000
# Checks that the process responds. Readiness (/health) is for load balancers: restarting a container
# does not help when the database is unavailable.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Bounds the memory for new objects: docs/do/install.md, Node.
CMD ["node", "--max-semi-space-size=8", "dist/src/server.js"]
