import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The snippets")
@LoopActor
struct SnippetTests {
    private nonisolated static let weather = """
        ObserverPattern.CurrentConditionsDisplay의 구독 등록되었습니다.
        ObserverPattern.PressureDisplay의 구독 등록되었습니다.
        현재 상태: 온도 80.0F, 습도 65.0%
        현재 기압: 30.0hPa
        현재 상태: 온도 82.0F, 습도 70.0%
        현재 기압: 29.0hPa
        현재 상태: 온도 78.0F, 습도 90.0%
        현재 기압: 30.0hPa
        성공적으로 ObserverPattern.CurrentConditionsDisplay의 구독이 해지되었습니다.
        현재 기압: 25.0hPa

        """
    private nonisolated static let celebrities = """
        안준호입니다! -> 호랑이 열정, 호열이에요~
        황장수입니다! -> 호랑이 열정, 호열이에요~
        조석봉입니다! -> 호랑이 열정, 호열이에요~
        안준호입니다! -> DP 복귀 안하니?

        """

    @Test(
        "print what their documents show",
        arguments: [
            // Push, then pull; directly, then through the broker.
            ("WeatherStation", weather + weather), ("CelebrityFollowers", celebrities + celebrities),
            ("AppleStore", "Pingu님 아이폰 입고 알림 수신\n\nRoby님 아이폰 입고 알림 수신\n\nPingu님 아이폰 입고 알림 수신\n\n"),
            (
                "BadgeCounts",
                "채팅탭 뱃지: 2\n알림탭 뱃지: 1\n채팅탭 뱃지: 3\n알림탭 뱃지: 1\n더보기탭 뱃지: 2\n채팅탭 뱃지: 3\n더보기탭 뱃지: 3\n"
            ),
        ]
    )
    func output(_ name: String, _ expected: String) async throws {
        let outcome = try await Program.run(name, [])
        #expect(outcome.output == expected)
        #expect(outcome.ending == .exit(0))
    }

    @Test(
        "post in one process and observe in another",
        arguments: [
            (
                "WeatherStation",
                [
                    "현재 상태: 온도 80.0F, 습도 65.0%", "현재 기압: 30.0hPa", "현재 상태: 온도 82.0F, 습도 70.0%", "현재 기압: 29.0hPa",
                    "현재 상태: 온도 78.0F, 습도 90.0%", "현재 기압: 30.0hPa", "현재 상태: 온도 88.0F, 습도 70.0%", "현재 기압: 25.0hPa",
                ]
            ), ("CelebrityFollowers", celebrities.split(separator: "\n").map(String.init)),
        ]
    )
    func shared(_ name: String, _ expected: [String]) async throws {
        try await withRedis { server in
            let observer = try RunningProgram(name, ["--redis", "unix://\(server.url)", "observe"])
            try await eventually("it observes") { observer.lines.count == 1 }
            #expect(try await Program.run(name, ["--redis", "unix://\(server.url)", "post"]).ending == .exit(0))
            try await eventually("all came") { observer.lines.count == expected.count + 1 }
            #expect(Array(observer.lines.dropFirst()) == expected)
            await observer.stop()
        }
    }
}
