# patrold as an image: docker build -t patrold .
# How it is run, with the machine's root mounted at /host: docker-compose.yml and docs/install.md.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY signals signals
COPY findings findings
# The Node that patrold brings is the one that it is tested with: of its package the program alone is taken along. What
# SQLite is compiled from, and compiled for other systems, is not.
RUN npm run -s build \
  && npm prune --omit=dev \
  && mv node_modules/node-linux-*/bin/node /node \
  && rm -rf node_modules/node-linux-* node_modules/.bin node_modules/.package-lock.json \
    node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name 'linux-*.node' -delete

FROM debian:bookworm-slim
# smartctl for disks, systemctl and journalctl for the machine's units and journal, ping for checks. A copy of ping has
# none of its privileges, with which it would not even start in a container without capabilities.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates iputils-ping smartmontools systemd \
  && rm -rf /var/lib/apt/lists/* \
  && cp /usr/bin/ping /usr/bin/ping.plain && mv /usr/bin/ping.plain /usr/bin/ping \
  && groupadd --gid 10001 patrold \
  && useradd --uid 10001 --gid 10001 --home-dir /var/lib/patrold --no-create-home --shell /usr/sbin/nologin patrold \
  && install -d -o patrold -g patrold -m 0700 /var/lib/patrold
COPY --from=build /node /usr/local/bin/node
COPY --from=build /src/node_modules /opt/patrold/node_modules
COPY --from=build /src/dist /opt/patrold/dist
COPY migrations /opt/patrold/migrations
COPY bin /opt/patrold/bin
COPY package.json LICENSE /opt/patrold/
COPY deploy/container.yaml /etc/patrold/patrold.yaml
RUN ln -s /opt/patrold/bin/patrold.js /usr/local/bin/patrold

# As in deploy/patrold.service.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
# Published ports reach a container from outside of its loopback. Whoever asks there needs a token, for /metrics too.
ENV PATROLD_DATA_DIRECTORY=/var/lib/patrold PATROLD_HTTP_LISTEN=0.0.0.0:7790
USER 10001:10001
VOLUME /var/lib/patrold
EXPOSE 7790
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7790/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=2", "--v8-pool-size=1", "/opt/patrold/dist/src/main.js"]
CMD ["serve"]
