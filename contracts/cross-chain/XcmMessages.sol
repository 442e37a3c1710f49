// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice Builds the version 5 messages between the hub and the venue's chain (para id 2034). Amounts are base units of USDC.
library XcmMessages {
    /// @notice The venue's chain as the hub addresses it.
    bytes internal constant VENUE = hex"05010100c91f";

    // Locations of USDC: on the hub itself, and of the hub's asset as the venue's chain addresses it.
    bytes private constant HUB_USDC = hex"0002043205e514";
    bytes private constant USDC_FROM_VENUE = hex"010300a10f043205e514";
    bytes private constant VENUE_FROM_HUB = hex"010100c91f";
    bytes private constant HUB_FROM_VENUE = hex"010100a10f";
    uint32 private constant VENUE_USDC = 22;
    uint32 private constant VENUE_SHARE = 1003;

    /// @notice Executed on the hub: moves `assets` under the hub's reserve to the account on the venue's chain.
    function fund(uint256 assets, bytes32 account) internal pure returns (bytes memory) {
        return abi.encodePacked(
            hex"0508",
            _withdraw(HUB_USDC, assets),
            // DepositReserveAsset of all assets, with the rest of the program for the venue's chain.
            hex"0e0100",
            VENUE_FROM_HUB,
            hex"08",
            _buyExecution(USDC_FROM_VENUE, assets),
            _depositAll(_accountId32(account))
        );
    }

    /// @notice Executed on the venue's chain: trades USDC for shares, or shares for USDC, by a call of its router.
    function sell(bool toShares, uint256 amount, uint256 minimum, uint256 fee, bytes32 account)
        internal
        pure
        returns (bytes memory)
    {
        bytes memory call = abi.encodePacked(
            hex"eb00",
            _little32(toShares ? VENUE_USDC : VENUE_SHARE),
            _little32(toShares ? VENUE_SHARE : VENUE_USDC),
            _little128(amount),
            _little128(minimum),
            hex"00"
        );
        return abi.encodePacked(
            hex"0514",
            _withdraw(USDC_FROM_VENUE, fee),
            _buyExecution(USDC_FROM_VENUE, fee),
            // Transact with the origin of the sender and no fallback weight, then RefundSurplus.
            hex"060100",
            _compact(call.length),
            call,
            hex"14",
            _depositAll(_accountId32(account))
        );
    }

    /// @notice Executed on the venue's chain: returns `amount` to an account of the hub.
    function home(uint256 amount, uint256 fee, address beneficiary) internal pure returns (bytes memory) {
        return abi.encodePacked(
            hex"050c",
            _withdraw(USDC_FROM_VENUE, amount),
            _buyExecution(USDC_FROM_VENUE, fee),
            // InitiateReserveWithdraw of all assets, with the rest of the program for the hub.
            hex"100100",
            HUB_FROM_VENUE,
            hex"08",
            _buyExecution(HUB_USDC, fee),
            _depositAll(abi.encodePacked(hex"00010300", beneficiary))
        );
    }

    function _withdraw(bytes memory asset, uint256 amount) private pure returns (bytes memory) {
        return abi.encodePacked(hex"0004", asset, hex"00", _compact(amount));
    }

    function _buyExecution(bytes memory asset, uint256 amount) private pure returns (bytes memory) {
        return abi.encodePacked(hex"13", asset, hex"00", _compact(amount), hex"00");
    }

    function _depositAll(bytes memory beneficiary) private pure returns (bytes memory) {
        return abi.encodePacked(hex"0d0100", beneficiary);
    }

    function _accountId32(bytes32 account) private pure returns (bytes memory) {
        return abi.encodePacked(hex"00010100", account);
    }

    /// @dev SCALE compact integer.
    function _compact(uint256 value) private pure returns (bytes memory) {
        if (value < 1 << 6) return abi.encodePacked(uint8(value << 2));
        if (value < 1 << 14) return abi.encodePacked(uint8((value << 2) | 1), uint8(value >> 6));
        if (value < 1 << 30) return abi.encodePacked(_little32(uint32((value << 2) | 2)));
        uint256 size = 4;
        while (value >> (8 * size) != 0) size++;
        bytes memory digits = new bytes(size);
        for (uint256 i = 0; i < size; i++) digits[i] = bytes1(uint8(value >> (8 * i)));
        return abi.encodePacked(uint8(((size - 4) << 2) | 3), digits);
    }

    function _little32(uint32 value) private pure returns (bytes memory digits) {
        digits = new bytes(4);
        for (uint256 i = 0; i < 4; i++) digits[i] = bytes1(uint8(value >> (8 * i)));
    }

    function _little128(uint256 value) private pure returns (bytes memory digits) {
        digits = new bytes(16);
        for (uint256 i = 0; i < 16; i++) digits[i] = bytes1(uint8(value >> (8 * i)));
    }
}
