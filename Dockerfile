# The executable holds everything, so the image that runs has nothing beside it but the C library that Bun is linked to.
FROM oven/bun:1.4.4-debian AS build
WORKDIR /latchkey
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY tsconfig.json ./
COPY public public
COPY migrations migrations
COPY islands islands
COPY src src
RUN bun src/build/assets.ts && bun src/build/executable.ts

FROM debian:bookworm-slim
COPY --from=build /latchkey/build/latchkey /usr/local/bin/latchkey
RUN useradd --uid 10001 --home-dir /data --no-create-home latchkey && install -d -o latchkey -m 0700 /data
USER latchkey
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["latchkey", "healthcheck"]
ENTRYPOINT ["latchkey"]
CMD ["serve"]
